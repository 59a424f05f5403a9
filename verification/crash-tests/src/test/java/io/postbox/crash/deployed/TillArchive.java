package io.postbox.crash.deployed;

import io.postbox.testkit.server.LibertyFolder;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The application with {@link Till}, on the sample's database, with tables of its own. */
public final class TillArchive {
  private static final String SETTINGS =
      """
      postbox.service=till
      postbox.inbox.table-prefix=till_
      postbox.inbox.create-tables=true
      """;

  private TillArchive() {}

  /**
   * Packs it into a server, before the start.
   *
   * @param artifacts where the jars under test are
   */
  public static void addTo(LibertyFolder folder, Path artifacts) {
    WebArchive archive =
        ShrinkWrap.create(WebArchive.class)
            .addClasses(Till.class, TillApplication.class)
            .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
            .addAsResource(new StringAsset(SETTINGS), "META-INF/microprofile-config.properties");
    for (String jar : new String[] {"inbox-http", "inbox-interceptor", "postbox-common"}) {
      archive.addAsLibrary(artifacts.resolve(jar + ".jar").toFile());
    }
    archive.as(ZipExporter.class).exportTo(folder.dropins().resolve("till.war").toFile());
  }
}
