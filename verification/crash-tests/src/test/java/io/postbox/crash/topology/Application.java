package io.postbox.crash.topology;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.MBeans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import javax.management.ObjectName;

/** The sample in a running server: taken out of it, put into it again. */
public interface Application {
  /** Takes it out of the server, which goes on; returns when it is gone. */
  void undeploy();

  /** Puts it into the server again; returns when it is there. */
  void deploy();

  /** That of a node. */
  static Application of(Node node) {
    return node.folder() instanceof LibertyFolder
        ? new Managed(node.server().mbeans())
        : new Watched(node.folder().sample(), node.server().base().resolve("/api/totals"));
  }

  /** That of an Open Liberty. */
  record Managed(MBeans mbeans) implements Application {
    private static final String NAME =
        "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name=postbox-sample";

    @Override
    public void undeploy() {
      invoke("stop");
      awaitState("STOPPED");
    }

    @Override
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

  /**
   * That of a server which looks at the folder of its archive every few seconds.
   *
   * @param page one of the sample's
   */
  record Watched(Path archive, URI page) implements Application {
    private static final int GONE = 404;
    private static final int THERE = 200;

    @Override
    public void undeploy() {
      move(archive, aside());
      awaitAnswer(GONE);
    }

    @Override
    public void deploy() {
      move(aside(), archive);
      awaitAnswer(THERE);
    }

    /** Where the server does not look. */
    private Path aside() {
      return archive.getParent().resolveSibling("taken-out.ear");
    }

    private static void move(Path from, Path to) {
      try {
        Files.setLastModifiedTime(from, FileTime.from(Instant.now())); // or it is an old one
        Files.move(from, to);
      } catch (IOException e) {
        throw new UncheckedIOException("The application cannot be moved to " + to, e);
      }
    }

    private void awaitAnswer(int status) {
      await(page + " to answer " + status)
          .atMost(Duration.ofSeconds(90))
          .until(() -> Http.status(page), answer -> answer == status);
    }
  }
}
