package io.postbox.it.waiting;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxNodes;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Broker;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNode.RelayState;
import io.postbox.outbox.OutboxNodes;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** One story: the message waits, somebody defines the name, the message goes. */
@ArquillianTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UnknownDestinationIT {
  @Inject Sender sender;
  @Inject OutboxStatistics outbox;
  @Inject OutboxNodes nodes;
  @Inject InboxNodes inboxes;
  @ArquillianResource Deployer deployer;

  @Deployment(name = "nameless", order = 1)
  static EnterpriseArchive nameless() {
    return application("nameless");
  }

  @Deployment(name = "named", order = 2, managed = false)
  static EnterpriseArchive named() {
    return application("named", "postbox.outbox.destination.nowhere.jndi-name", "jms/found");
  }

  /** The same service on the same tables, once without and once with the name. */
  private static EnterpriseArchive application(String name, String... more) {
    return Archives.ear(UnknownDestinationIT.class, name, Archives.settings("waiting", more));
  }

  @Test
  @Order(1)
  @OperateOnDeployment("nameless")
  void theMessageWaitsWithoutAnAttemptAndLogAndHealthSaySo() {
    UUID id = sender.send("patience");

    eventually(
        () ->
            assertThat(Log.ofServer().lines("OBX0004", "'nowhere'"))
                .isNotEmpty()
                .first()
                .asString()
                .contains(
                    "Destination 'nowhere' is unavailable: circuit open, attempts are not charged")
                .contains("no JMS destination is bound to jms/nowhere, the JNDI name of 'nowhere'")
                .contains("postbox.outbox.destination.nowhere.jndi-name"));
    assertThat(
            Database.byDefault()
                .value(
                    "SELECT status || ' ' || attempts FROM waiting_outbox_message WHERE id = ?",
                    id))
        .isEqualTo("PENDING 0");
    int port = Integer.parseInt(Names.variable("http.port"));
    HttpResponse<String> ready = Endpoint.get(port, "/health/ready");
    assertThat(ready.statusCode()).as("enqueue works, so the service is ready").isEqualTo(200);
    assertThat(ready.body())
        .contains("postbox-outbox", "\"service\":\"waiting\"")
        .as("nobody has configured the name, so it may be a secret")
        .contains("\"waiting, without a configured name\":\"1\"")
        .doesNotContain("nowhere", "jms/");
    eventually(
        () ->
            assertThat(
                    Endpoint.value(
                        Endpoint.metrics(port),
                        "postbox_outbox_breaker_open",
                        "service=\"waiting\"",
                        "destination=\"nowhere\""))
                .isEqualTo(1));
    eventually(
        () ->
            assertThat(nodes.list())
                .singleElement()
                .satisfies(
                    node -> {
                      assertThat(node.alive()).isTrue();
                      assertThat(node.relay()).isEqualTo(RelayState.ON);
                      assertThat(node.polledAt()).isPresent();
                      assertThat(node.version()).startsWith("0.");
                      assertThat(node.name())
                          .startsWith(ProcessHandle.current().pid() + "@" + node.host());
                      assertThat(node.breakers())
                          .singleElement()
                          .satisfies(
                              breaker -> {
                                assertThat(breaker.destination()).isEqualTo("nowhere");
                                assertThat(breaker.since()).isBefore(node.aliveAt());
                                assertThat(breaker.error()).contains("jms/nowhere");
                              });
                    }));
    eventually(
        () ->
            assertThat(inboxes.list())
                .singleElement()
                .satisfies(
                    node -> {
                      assertThat(node.alive()).isTrue();
                      assertThat(node.consumers()).as("it has none").isEmpty();
                      assertThat(node.host()).isEqualTo(nodes.list().get(0).host());
                    }));
  }

  @Test
  @Order(2)
  @RunAsClient
  void theNameIsDefined() {
    deployer.deploy("named");
  }

  @Test
  @Order(3)
  @OperateOnDeployment("named")
  void theMessageGoesOnce() throws JMSException {
    Message message = Broker.receive("jms/found");
    assertThat(message.getBody(String.class)).isEqualTo("patience");
    Invariants.nothingPending(outbox);
    assertThat(Broker.depth("jms/found")).isZero();
    eventually(
        () ->
            assertThat(nodes.list())
                .as("one process, and a node for each application of the service")
                .hasSize(2)
                .allMatch(OutboxNode::alive)
                .extracting(OutboxNode::host)
                .containsOnly(nodes.list().get(0).host()));
  }

  @Test
  @Order(4)
  @RunAsClient
  void theSecondApplicationLeaves() {
    deployer.undeploy("named");
  }

  @Test
  @Order(5)
  @OperateOnDeployment("nameless")
  void aNodeThatStoppedInOrderIsOffTheRecord() {
    assertThat(nodes.list()).singleElement().matches(OutboxNode::alive);
    assertThat(inboxes.list()).singleElement().matches(InboxNode::alive);
  }
}
