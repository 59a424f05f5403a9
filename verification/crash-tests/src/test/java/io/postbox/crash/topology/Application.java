package io.postbox.crash.topology;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.server.MBeans;
import java.time.Duration;
import javax.management.ObjectName;

/**
 * The sample in a running server: taken out of it, put into it again.
 *
 * @param mbeans the server's
 */
public record Application(MBeans mbeans) {
  private static final String NAME =
      "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name=postbox-sample";

  /** Takes it out of the server, which goes on; returns when it is gone. */
  public void undeploy() {
    invoke("stop");
    awaitState("STOPPED");
  }

  /** Puts it into the server again; returns when it is there. */
  public void deploy() {
    invoke("start");
    awaitState("STARTED");
  }

  private void invoke(String operation) {
    mbeans.ask(
        server -> server.invoke(new ObjectName(NAME), operation, new Object[0], new String[0]));
  }

  private void awaitState(String state) {
    await("the application to be " + state)
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> mbeans.ask(server -> server.getAttribute(new ObjectName(NAME), "State")),
            state::equals);
  }
}
