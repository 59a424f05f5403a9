package io.postbox.it.redeploy;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.Server;
import io.postbox.it.tools.Endpoint;
import io.postbox.testkit.server.Machine;
import java.net.http.HttpResponse;
import javax.management.ObjectName;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An application that goes and comes back, again and again, each time with work in hand. It has no
 * message-driven bean: Liberty's messaging engine keeps what belonged to one for a while, class
 * loader and all.
 */
@ArquillianTest
class RedeployIT {
  private static final int TIMES = 5;
  private static final int MESSAGES = 20;

  @ArquillianResource Deployer deployer;

  @Deployment(name = "returning", managed = false)
  static EnterpriseArchive application() {
    return Archives.ear(RedeployIT.class, "returning", Archives.settings("returning"));
  }

  @Deployment(name = "neighbour", managed = false)
  static EnterpriseArchive neighbour() {
    return Archives.ear(RedeployIT.class, "neighbour", Archives.settings("neighbour"));
  }

  /** The two have modules of the same names, as two applications with Postbox always have. */
  @Test
  @RunAsClient
  void anotherApplicationThatStopsTakesNoContextAlong() {
    deployer.deploy("returning");
    deployer.deploy("neighbour");
    deployer.undeploy("neighbour");

    hearOfWhatIsReceivedAndOfWhatFails();
    assertThat(ask("discard")).isEmpty();
    eventually(() -> assertThat(ask("quarantined")).isEqualTo("0"));
    deployer.undeploy("returning");
  }

  private static String ask(String what) {
    HttpResponse<String> answer = Endpoint.get(Server.port(), "/returning/write?" + what + "=true");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  @Tag("full")
  @RunAsClient
  void nothingIsForgottenAndNothingIsKept() {
    for (int time = 1; time <= TIMES; time++) {
      deployer.deploy("returning");
      write("nowhere", 1); // so that the relay waits for a destination when it is stopped
      write("returning", MESSAGES);
      hearOfWhatIsReceivedAndOfWhatFails(); // on threads of the inbox's own
      deployer.undeploy("returning");
      eventually(RedeployIT::noThreadIsLeft); // a look of the timer may be about to end
    }
    deployer.deploy("returning");
    eventually(() -> assertThat(depth("RETURNING")).isEqualTo(TIMES * MESSAGES));
    deployer.undeploy("returning");

    // All modules of an EAR have one class loader for their EJBs. A few copies stay, however often:
    // the server does not unbind the latest one's ejblocal: name, and the JDK keeps the record type
    // that it compared last. A leak of ours would keep all six.
    Machine machine = Server.machine();
    eventually(
        () ->
            assertThat(machine.copiesOf(Correspondent.class.getName()))
                .as("copies that are loaded of a class of the application")
                .isLessThanOrEqualTo(3));
  }

  /** The sample in the same server has threads of the inbox's too, which bear its name. */
  private static void noThreadIsLeft() {
    assertThat(Server.machine().threadsIn("io.postbox.outbox")).as("threads").isEmpty();
    assertThat(Server.machine().threadsNamed("postbox-inbox-"))
        .as("threads of the inbox's own")
        .noneMatch(name -> name.endsWith(" returning"));
  }

  private static void hearOfWhatIsReceivedAndOfWhatFails() {
    eventually(
        () ->
            assertThat(Integer.parseInt(Endpoint.get(Server.port(), "/returning/write").body()))
                .as("events")
                .isPositive());
  }

  private static void write(String destination, int number) {
    String path = "/returning/write?to=%s&number=%s".formatted(destination, number);
    assertThat(Endpoint.get(Server.port(), path).statusCode()).isEqualTo(200);
  }

  private static long depth(String queue) {
    return Server.mbeans()
        .ask(
            server ->
                (Long)
                    server.getAttribute(
                        new ObjectName("WebSphere:feature=wasJmsServer,type=Queue,name=" + queue),
                        "Depth"));
  }
}
