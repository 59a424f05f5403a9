package io.postbox.it.undeploy;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.Server;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Eventually;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import jakarta.inject.Inject;
import java.time.Duration;
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

/** One story in three steps. On PostgreSQL, whose log shows whether somebody still asks. */
@ArquillianTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UndeployIT {
  private static final String SERVICE = "service=\"leaving\"";

  @Inject Sender sender;
  @ArquillianResource Deployer deployer;

  @Deployment(name = "leaving", managed = false)
  static EnterpriseArchive application() {
    return Archives.ear(
        UndeployIT.class,
        "leaving",
        Archives.settings(
            "leaving",
            "postbox.outbox.data-source",
            "jdbc/pg",
            "postbox.inbox.data-source",
            "jdbc/pg"));
  }

  @Test
  @Order(1)
  @RunAsClient
  void theApplicationComes() {
    deployer.deploy("leaving");
  }

  @Test
  @Order(2)
  @OperateOnDeployment("leaving")
  void itHasMetricsAndARelayAtWork() {
    sender.send();
    int port = Integer.parseInt(Names.variable("http.port"));
    eventually(
        () ->
            assertThat(
                    Endpoint.value(Endpoint.metrics(port), "postbox_outbox_breaker_open", SERVICE))
                .isEqualTo(1));
  }

  @Test
  @Order(3)
  @RunAsClient
  void itGoesAndTakesItsMetricsAndItsTimerWithIt() {
    Log log = Server.logFromNow();
    deployer.undeploy("leaving");
    Log statements = Server.postgresLogFromNow();

    assertThat(Endpoint.metrics(Server.port()))
        .as("metrics")
        .noneMatch(line -> line.contains(SERVICE));
    assertThat(Endpoint.get(Server.port(), "/health").body()).doesNotContain("leaving");
    Eventually.patience(Duration.ofSeconds(10))
        .during(Duration.ofSeconds(3)) // within which a relay with work to do looks several times
        .untilAsserted(() -> assertThat(statements.lines("leaving_")).isEmpty());
    assertThat(log.lines(" E ")).as("errors logged").isEmpty();
  }
}
