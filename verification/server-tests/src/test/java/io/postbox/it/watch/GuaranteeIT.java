package io.postbox.it.watch;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Log;
import io.postbox.it.tools.Names;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** One application whose server resources are all wrong, and two whose are as they should be. */
@ArquillianTest
class GuaranteeIT {

  @Deployment(name = "careless")
  static EnterpriseArchive careless() {
    return application(
        "careless",
        List.of(Sender.class, LooseCipher.class),
        "postbox.outbox.data-source",
        "jdbc/careless",
        "postbox.outbox.connection-factory",
        "jms/careless",
        "postbox.outbox.relay.send-timeout",
        "10m");
  }

  @Deployment(name = "careful", order = 2)
  static EnterpriseArchive careful() {
    return application("careful", List.of(Sender.class), "postbox.outbox.data-source", "jdbc/pg");
  }

  private static EnterpriseArchive application(String name, List<Class<?>> beans, String... more) {
    return Archives.ear(
        name,
        Archives.ejbModule(name, Archives.settings(name, more), beans.toArray(Class<?>[]::new)),
        Archives.webModule(name, GuaranteeIT.class));
  }

  private static List<String> findings(String service) {
    return Log.ofServer().lines("OBX0040", "Guarantee check of " + service + ", ");
  }

  private static double metric(String service) {
    return Endpoint.value(
        Endpoint.metrics(Integer.parseInt(Names.variable("http.port"))),
        "postbox_outbox_findings",
        "service=\"" + service + "\"");
  }

  @Test
  @OperateOnDeployment("careless")
  void eachWrongSettingIsALineThatSaysWhatToSet() {
    eventually(() -> assertThat(metric("careless")).isEqualTo(5));

    assertThat(findings("careless"))
        .hasSize(5)
        .anySatisfy(line -> assertThat(line).contains("h2-write-delay", ";WRITE_DELAY=0"))
        .anySatisfy(line -> assertThat(line).contains("h2-xa", "type=\"javax.sql.DataSource\""))
        .anySatisfy(line -> assertThat(line).contains("pool-size", "has 3 connections"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("persistent-mapping", "ReliablePersistent", "jms/careless"))
        .anySatisfy(line -> assertThat(line).contains("cipher-associated-data", "updateAAD"));
    assertThat(Endpoint.get(Integer.parseInt(Names.variable("http.port")), "/health/ready").body())
        .contains("h2-write-delay, h2-xa, pool-size, persistent-mapping");
  }

  @Test
  @OperateOnDeployment("careful")
  void rightSettingsHaveNoLine() {
    eventually(() -> assertThat(Log.ofServer().lines("OBX0001", "service=careful")).isNotEmpty());
    assertThat(metric("careful")).isZero();
    assertThat(findings("careful")).isEmpty();
    assertThat(findings("postbox-sample")).as("the sample as it is delivered").isEmpty();
  }
}
