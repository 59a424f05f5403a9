package io.postbox.it.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Database;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Names;
import jakarta.inject.Inject;
import jakarta.persistence.FlushModeType;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

  @Test
  void entitiesWrittenBeforeTheMessageAreInItsLocalCommit() {
    entitiesAndTheirMessageAreOneLocalCommit(FlushModeType.AUTO);
  }

  @Test
  void entitiesWrittenAtTheCommitAreInTheMessagesLocalCommit() {
    entitiesAndTheirMessageAreOneLocalCommit(FlushModeType.COMMIT);
  }

  private void entitiesAndTheirMessageAreOneLocalCommit(FlushModeType mode) {
    String word = mode.name().toLowerCase(Locale.ROOT); // COMMIT would pass for one in the log
    String earlier = "earlier, " + word;
    String name = "flush mode " + word;
    purchases.buy(earlier, "jdbc/pg", OneCommit.POSTGRESQL_SESSION);

    List<String> transaction =
        OneCommit.isOneCommitInPostgres(
            "jpa_pg_",
            name,
            () -> {
              Payment payment =
                  purchases.buyAndPay(name, earlier, mode, "jdbc/pg", OneCommit.POSTGRESQL_SESSION);
              assertThat(payment.woven()).as("woven by the server").isTrue();
              assertThat(payment.paid())
                  .as("what a query has seen of the change")
                  .isEqualTo(mode == FlushModeType.AUTO ? 1 : 0);
              return payment.sessions();
            });

    List<Integer> order =
        Stream.of(
                "INSERT INTO connection_purchase",
                "UPDATE connection_purchase",
                "INSERT INTO jpa_pg_outbox_message")
            .map(part -> indexOf(transaction, part))
            .toList();
    assertThat(order).as("written in it: %s", transaction).doesNotContain(-1);
    assertThat(order.get(2) > order.get(0) && order.get(2) > order.get(1))
        .as("the entities' rows were written before the message: %s", transaction)
        .isEqualTo(mode == FlushModeType.AUTO);
    assertThat(purchases.find(earlier).paid()).isTrue();
    assertThat(Database.at("jdbc/pg").count("pg_prepared_xacts")).isZero();
  }

  @Test
  void aMessageOfAnObserverBeforeCompletionIsInTheTransactionAndWakesTheRelay() {
    isEnqueuedLate("observed", purchases::buyObserved);
  }

  @Test
  void aMessageOfAnEntityListenerInTheFlushAtTheCommitIsInItAndWakesTheRelay() {
    isEnqueuedLate("with receipt", purchases::buyWithReceipt);
  }

  private static void isEnqueuedLate(String name, Consumer<String> buy) {
    double before = enqueued();
    buy.accept(name);

    Database database = Database.at("jdbc/pg");
    assertThat(
            database.value("SELECT xmin FROM jpa_pg_outbox_message WHERE payload_text = ?", name))
        .isEqualTo(database.value("SELECT xmin FROM connection_purchase WHERE name = ?", name));
    assertThat(enqueued() - before).as("what the end of the transaction has reported").isOne();
  }

  private static double enqueued() {
    return Endpoint.metric(
            Endpoint.metrics(Integer.parseInt(Names.variable("http.port"))),
            "postbox_outbox_enqueued_total",
            "destination=\"late\"",
            "service=\"jpa-pg\"")
        .stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static int indexOf(List<String> statements, String part) {
    for (int i = 0; i < statements.size(); i++) {
      if (statements.get(i).contains(part)) {
        return i;
      }
    }
    return -1;
  }
}
