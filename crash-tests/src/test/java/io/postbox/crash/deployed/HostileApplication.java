package io.postbox.crash.deployed;

import io.postbox.testkit.model.HostileMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The application with {@link HostileServlet}. */
public final class HostileApplication {
  private HostileApplication() {}

  /**
   * Packs it into a server, before the start.
   *
   * @param home the server's configuration
   */
  public static void addTo(Path home) {
    try {
      ShrinkWrap.create(WebArchive.class)
          .addClasses(HostileServlet.class, HostileMessage.class)
          .as(ZipExporter.class)
          .exportTo(
              Files.createDirectories(home.resolve("dropins")).resolve("hostile.war").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("There is no room for an application in " + home, e);
    }
  }
}
