package io.postbox.it.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** On a data source that is not the default one, and that could commit in two phases. */
@ArquillianTest
class JpaOnPostgresIT {
  @Inject JpaPurchases purchases;

  @Deployment
  static EnterpriseArchive application() {
    return Archives.ear(
        "jpa-pg",
        PurchaseModules.onJpa("jpa-pg", "jdbc/pg"),
        Archives.webModule("jpa-pg", JpaOnPostgresIT.class, OneCommit.class));
  }

  @Test
  void aPurchaseAndItsMessageAreOneLocalCommit() {
    OneCommit.isOneCommitInPostgres(
        "jpa_pg_", "jpa", () -> purchases.buy("jpa", "jdbc/pg", OneCommit.POSTGRESQL_SESSION));
    assertThat(Database.at("jdbc/pg").count("pg_prepared_xacts")).isZero();
  }
}
