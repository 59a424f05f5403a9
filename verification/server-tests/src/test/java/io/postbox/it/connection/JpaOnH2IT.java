package io.postbox.it.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** On the default data source, which knows one phase only. */
@ArquillianTest
class JpaOnH2IT {
  private static final String DEFAULT = "java:comp/DefaultDataSource";

  @Inject JpaPurchases purchases;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        "jpa-h2",
        PurchaseModules.onJpa("jpa-h2", "jdbc/postbox"),
        Archives.webModule("jpa-h2", JpaOnH2IT.class, OneCommit.class));
  }

  @Test
  void aPurchaseAndItsMessageGoThroughOneSession() {
    OneCommit.isOneSession(purchases.buy("jpa", DEFAULT, OneCommit.H2_SESSION));
    assertThat(Database.byDefault().column("SELECT name FROM connection_purchase"))
        .containsExactly("jpa");
    assertThat(Database.byDefault().column("SELECT payload_text FROM jpa_h2_outbox_message"))
        .containsExactly("jpa");
  }
}
