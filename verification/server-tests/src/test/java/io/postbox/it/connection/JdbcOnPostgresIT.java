package io.postbox.it.connection;

import io.postbox.it.tools.Database;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plain WAR without any JPA. */
@ArquillianTest
class JdbcOnPostgresIT {
  @Inject JdbcPurchases purchases;

  @Deployment
  static WebArchive application() {
    return PurchaseModules.onJdbc("jdbc-pg", "jdbc/pg", JdbcOnPostgresIT.class, OneCommit.class);
  }

  @BeforeEach
  void makeTable() {
    Database.at("jdbc/pg").run(PurchaseModules.TABLE);
  }

  @Test
  void aPurchaseAndItsMessageAreOneLocalCommit() {
    OneCommit.isOneCommitInPostgres(
        "jdbc_pg_",
        "plain jdbc",
        () -> purchases.buy("plain jdbc", "jdbc/pg", OneCommit.POSTGRESQL_SESSION));
  }
}
