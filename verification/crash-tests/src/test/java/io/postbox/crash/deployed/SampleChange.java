package io.postbox.crash.deployed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.ArchivePath;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.ArchiveAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The sample as some of its users would write it. */
public enum SampleChange {
  /** Its listeners have no transaction, so that the inbox begins its own. */
  OWN_TRANSACTIONS {
    @Override
    void apply(JavaArchive listeners) {
      listeners.addAsManifestResource(new StringAsset(DESCRIPTOR), "ejb-jar.xml");
    }
  },

  /**
   * The listener of shipments has no transaction and no annotation; it calls a session bean that
   * carries {@code @Inbox} and has a transaction of the container's. If that one rolls back, only
   * an exception keeps the listener from acknowledging the message.
   */
  LISTENER_OUTSIDE {
    @Override
    void apply(JavaArchive listeners) {
      listeners.delete("/io/postbox/sample/shipping/ShippingMdb.class");
      listeners.addClasses(OutsideListener.class, OutsideDesk.class);
    }
  },

  /** The listener of shipments only stores its messages, and the inbox's workers ship later. */
  LISTENER_CAPTURES {
    @Override
    void apply(JavaArchive listeners) {
      listeners.delete("/io/postbox/sample/shipping/ShippingMdb.class");
      listeners.addClasses(CapturingListener.class, CapturedDesk.class);
    }
  },

  /** More listeners, which handle the versions of aggregates in their order. */
  LISTENERS_OF_VERSIONS {
    @Override
    void apply(JavaArchive listeners) {
      listeners.addClasses(
          VersionsListener.class, CapturedVersionsListener.class, VersionLedger.class);
      addTables(listeners, VersionLedger.TABLE);
    }
  },

  /** More listeners, about whose messages an operator decides, and who enqueues them. */
  JOBS {
    @Override
    void apply(JavaArchive listeners) {
      listeners.addClasses(JobLedger.class, JobsListener.class, CapturedJobsListener.class);
      addTables(listeners, JobLedger.TABLES);
    }

    @Override
    void applyToWeb(WebArchive web) {
      web.addClass(JobsServlet.class);
    }
  },

  /** The listener of shipments answers, and so could be made to write where it must not. */
  LISTENER_ANSWERS {
    @Override
    void apply(JavaArchive listeners) {
      listeners.delete("/io/postbox/sample/shipping/ShippingMdb.class");
      listeners.addClass(AnsweringListener.class);
    }
  };

  /** Its tables, a statement a line; runs at every start. */
  private static final String SCRIPT = "/META-INF/sample.sql";

  private static final String LISTENER =
      """
          <container-transaction>
            <method><ejb-name>%s</ejb-name><method-name>*</method-name></method>
            <trans-attribute>NotSupported</trans-attribute>
          </container-transaction>
      """;
  private static final String DESCRIPTOR =
      """
      <ejb-jar xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
        <enterprise-beans>
          <message-driven><ejb-name>ShippingMdb</ejb-name></message-driven>
          <message-driven><ejb-name>OrdersMdb</ejb-name></message-driven>
          <message-driven><ejb-name>BillingMdb</ejb-name></message-driven>
        </enterprise-beans>
        <assembly-descriptor>
      """
          + LISTENER.formatted("ShippingMdb")
          + LISTENER.formatted("OrdersMdb")
          + LISTENER.formatted("BillingMdb")
          + """
            </assembly-descriptor>
          </ejb-jar>
          """;

  private static void addTables(JavaArchive listeners, String statements) {
    String tables = text(listeners, SCRIPT);
    listeners.delete(SCRIPT);
    listeners.add(new StringAsset(tables + statements + "\n"), SCRIPT);
  }

  private static String text(JavaArchive archive, String path) {
    try (InputStream bytes = archive.get(path).getAsset().openStream()) {
      return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be read", e);
    }
  }

  /** Changes the module with the sample's listeners. */
  abstract void apply(JavaArchive listeners);

  /** Changes the module with what the sample's clients ask. */
  void applyToWeb(WebArchive web) {}

  /** Changes the archive where it lies. */
  public void patch(Path ear) {
    EnterpriseArchive sample = ShrinkWrap.createFromZipFile(EnterpriseArchive.class, ear.toFile());
    change(sample, "/sample-ejb.*\\.jar", JavaArchive.class, this::apply);
    change(sample, "/sample-web.*\\.war", WebArchive.class, this::applyToWeb);
    try {
      Path changed = ear.resolveSibling("changed.ear"); // the archive is still being read
      sample.as(ZipExporter.class).exportTo(changed.toFile());
      Files.move(changed, ear, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(ear + " cannot be changed", e);
    }
  }

  private static <T extends Archive<T>> void change(
      EnterpriseArchive sample, String module, Class<T> type, Consumer<T> change) {
    ArchivePath path = sample.getContent(Filters.include(module)).keySet().iterator().next();
    T archive = sample.getAsType(type, path);
    change.accept(archive);
    sample.delete(path);
    sample.add(new ArchiveAsset(archive, ZipExporter.class), path);
  }
}
