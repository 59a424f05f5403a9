package io.postbox.inbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApplicationStateTest {
  private static final String MBEAN =
      "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name=shop";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final ApplicationState application = new ApplicationState("shop");
  private String state = "STARTING";

  /** As Open Liberty's. */
  public interface State {
    String getState();
  }

  @AfterEach
  void unregister() throws Exception {
    if (server.isRegistered(new ObjectName(MBEAN))) {
      server.unregisterMBean(new ObjectName(MBEAN));
    }
  }

  @Test
  void itHasStartedWhenTheServerSaysSoAndNotBefore() throws Exception {
    server.registerMBean(
        new StandardMBean((State) () -> state, State.class), new ObjectName(MBEAN));

    assertThat(application.hasStarted()).isFalse();
    state = "STARTED";
    assertThat(application.hasStarted()).isTrue();
    state = "STOPPING";
    assertThat(application.hasStarted()).as("it had").isTrue();
  }

  @Test
  void aServerThatDoesNotSayHasStartedIt() {
    assertThat(application.hasStarted()).isTrue();
  }
}
