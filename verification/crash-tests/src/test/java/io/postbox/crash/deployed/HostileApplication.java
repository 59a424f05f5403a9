package io.postbox.crash.deployed;

import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.server.ServerFolder;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The application with {@link HostileServlet}. */
public final class HostileApplication {
  private HostileApplication() {}

  /** Packs it into a server, before the start. */
  public static void addTo(ServerFolder folder) {
    ShrinkWrap.create(WebArchive.class)
        .addClasses(HostileServlet.class, HostileMessage.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("hostile.war").toFile());
  }
}
