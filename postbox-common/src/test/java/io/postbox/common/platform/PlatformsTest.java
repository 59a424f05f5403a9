package io.postbox.common.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlatformsTest {
  /** As Open Liberty's. */
  private static final class ConnectionWaitTimeoutException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void nobodyKnownIsHere() {
    assertThat(Platforms.here()).isInstanceOf(OtherServer.class);
  }

  @Test
  void aPoolWhoseConnectionsAreAllInUseSaysSoOnEachServer() {
    assertThat(Platforms.isPoolTimeout(new ConnectionWaitTimeoutException())).isTrue();
    assertThat(
            Platforms.isPoolTimeout(
                new SQLException(
                    "jakarta.resource.ResourceException: IJ000655: No managed connections available"
                        + " within configured blocking timeout (30000 [ms])")))
        .isTrue();
    assertThat(
            Platforms.isPoolTimeout(
                new SQLException(
                    "Error in allocating a connection. Cause: In-use connections equal"
                        + " max-pool-size and expired max-wait-time. Cannot allocate more"
                        + " connections.")))
        .isTrue();
    assertThat(Platforms.isPoolTimeout(new SQLException("IJ031084: Unable to create connection")))
        .isFalse();
    assertThat(Platforms.isPoolTimeout(new SQLException())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UNAUTHENTICATED", "anonymous", "ANONYMOUS"})
  void whoeverIsNotLoggedInIsNobody(String principal) {
    assertThat(Platforms.isNobody(principal)).isTrue();
    assertThat(Platforms.isNobody(principal + "1")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.ibm.ws.ejbcontainer.osgi.X",
        "io.openliberty.x.Y",
        "org.jboss.as.ee.X",
        "org.wildfly.x.Y",
        "io.undertow.X",
        "org.glassfish.ejb.X",
        "fish.payara.X"
      })
  void aServersClassesAreKnownByTheirPackages(String name) {
    assertThat(Platforms.isServers(name)).isTrue();
    assertThat(Platforms.isServers("shop." + name)).isFalse();
  }
}
