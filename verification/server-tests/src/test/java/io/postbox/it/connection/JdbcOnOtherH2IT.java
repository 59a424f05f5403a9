package io.postbox.it.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.tools.Database;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plain WAR without any JPA, on a one-phase data source that is not the default one. */
@Tag("full")
@ArquillianTest
class JdbcOnOtherH2IT {
  @Inject JdbcPurchases purchases;

  @Deployment
  static WebArchive application() {
    return PurchaseModules.onJdbc(
        "jdbc-other", "jdbc/other", JdbcOnOtherH2IT.class, OneCommit.class);
  }

  @BeforeEach
  void makeTable() {
    Database.at("jdbc/other").run(PurchaseModules.TABLE);
  }

  @Test
  void aPurchaseAndItsMessageGoThroughOneSession() {
    OneCommit.isOneSession(purchases.buy("plain jdbc", "jdbc/other", OneCommit.H2_SESSION));
    Database other = Database.at("jdbc/other");
    assertThat(other.column("SELECT name FROM connection_purchase")).containsExactly("plain jdbc");
    assertThat(other.column("SELECT payload_text FROM jdbc_other_outbox_message"))
        .containsExactly("plain jdbc");
  }
}
