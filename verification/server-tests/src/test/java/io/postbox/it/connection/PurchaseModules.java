package io.postbox.it.connection;

import io.postbox.it.frame.Archives;
import java.util.Map;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** One application in several forms: on JPA or plain JDBC, on one data source or another. */
final class PurchaseModules {
  static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS connection_purchase (
        name    VARCHAR(255) PRIMARY KEY,
        paid    BOOLEAN NOT NULL DEFAULT FALSE,
        version INTEGER NOT NULL DEFAULT 1)
      """;

  private PurchaseModules() {}

  static JavaArchive onJpa(String name, String dataSource) {
    JavaArchive module =
        Archives.ejbModule(
            name,
            settings(name, dataSource),
            JpaPurchases.class,
            Purchase.class,
            Payment.class,
            Receipt.class,
            LateEnqueuer.class,
            LateEnqueuer.OfReceipts.class,
            JpaPurchases.Bought.class,
            Sessions.class);
    return Archives.withPersistence(module, dataSource)
        .addAsManifestResource(
            new StringAsset(
                """
                <ejb-jar-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">
                  <session name="JpaPurchases">
                    <resource-ref name="jdbc/injected" binding-name="%s"/>
                  </session>
                </ejb-jar-bnd>
                """
                    .formatted(dataSource)),
            "ibm-ejb-jar-bnd.xml");
  }

  static WebArchive onJdbc(String name, String dataSource, Class<?>... test) {
    return Archives.war(name, settings(name, dataSource), JdbcPurchases.class, Sessions.class)
        .addClasses(test)
        .addClass(PurchaseModules.class)
        .addAsWebInfResource(
            new StringAsset(
                """
                <web-bnd xmlns="http://websphere.ibm.com/xml/ns/javaee" version="1.1">
                  <resource-ref name="jdbc/injected" binding-name="%s"/>
                </web-bnd>
                """
                    .formatted(dataSource)),
            "ibm-web-bnd.xml");
  }

  /** Nothing is relayed, so that the rows stay to be looked at. */
  private static Map<String, String> settings(String name, String dataSource) {
    return Archives.settings(
        name,
        "postbox.outbox.data-source",
        dataSource,
        "postbox.inbox.data-source",
        dataSource,
        "postbox.outbox.relay.enabled",
        "false");
  }
}
