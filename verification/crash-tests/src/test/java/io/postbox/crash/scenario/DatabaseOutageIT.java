package io.postbox.crash.scenario;

import static io.postbox.crash.topology.MessageBroker.EMBEDDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.scenario.Outage.Loss;
import io.postbox.crash.topology.Artemis;
import io.postbox.crash.topology.MessageBroker;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.database.H2Database;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import io.postbox.testkit.server.Rule;
import io.postbox.testkit.server.Rules;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Some time without the database, under load, with the broker's settings of liberty-config. Each
 * two of mode, broker and kind of outage come together, but for a frozen database with Artemis, of
 * which docs/crash-matrix.md lists; {@code -Doutages=all} has more.
 */
@Tag("crash")
class DatabaseOutageIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(15);
  private static final String ALL = "crash.outages";
  private static final String CLOSED = "closed";

  /** Long enough to stop the database and start it again in. */
  private static final Rule BETWEEN_THE_PHASES =
      new Rule(
          "between",
          "org.postgresql.xa.PGXAConnection",
          "commit",
          "AT ENTRY",
          "!$2",
          "delay(10000)");

  /** As the last participant, which is liberty-config's default. */
  private static final Map<String, String> ONE_PHASE =
      Map.of("postbox.postgresql.type", "javax.sql.ConnectionPoolDataSource");

  private final Settings settings = Settings.read();

  @Test
  void joinedOnPostgresAndArtemis() throws SQLException {
    PostgresDatabase database = postgres("outage-joined-pg");
    try (Nodes nodes = nodes("outage-joined-pg", database, artemis("outage-joined-pg"))) {
      live(nodes, killed(database, LONG));
    }
  }

  @Test
  void inOwnTransactionsOnPostgresAndEmbeddedMessaging() throws SQLException {
    PostgresDatabase database = postgres("outage-own-pg");
    try (Nodes nodes = nodes("outage-own-pg", database, EMBEDDED)) {
      nodes.get(0).inOwnTransactions();
      live(nodes, frozen(database, SHORT), stopped(database, SHORT));
    }
  }

  @Test
  void joinedOnH2AndEmbeddedMessaging() throws SQLException {
    try (Nodes nodes = nodes("outage-joined-h2", h2("outage-joined-h2"), EMBEDDED)) {
      live(nodes, closed(nodes, LONG));
    }
  }

  @Test
  void inOwnTransactionsOnH2AndArtemis() throws SQLException {
    MessageBroker broker = artemis("outage-own-h2");
    try (Nodes nodes = nodes("outage-own-h2", h2("outage-own-h2"), broker)) {
      nodes.get(0).inOwnTransactions();
      live(nodes, closed(nodes, SHORT));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "all")
  void joinedOnPostgresAndEmbeddedMessaging() throws SQLException {
    PostgresDatabase database = postgres("outage-joined-pg");
    try (Nodes nodes = nodes("outage-joined-pg", database, EMBEDDED)) {
      live(nodes, stopped(database, LONG), frozen(database, LONG));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "all")
  void joinedOnFrozenPostgresAndArtemis() throws SQLException {
    PostgresDatabase database = postgres("outage-frozen-pg");
    try (Nodes nodes = nodes("outage-frozen-pg", database, artemis("outage-frozen-pg"))) {
      live(nodes, frozen(database, LONG));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "all")
  void inOwnTransactionsOnPostgresAndArtemis() throws SQLException {
    PostgresDatabase database = postgres("outage-own-pg");
    try (Nodes nodes = nodes("outage-own-pg", database, artemis("outage-own-pg"))) {
      nodes.get(0).inOwnTransactions();
      live(nodes, killed(database, LONG), frozen(database, LONG));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "all")
  void joinedOnH2AndArtemis() throws SQLException {
    MessageBroker broker = artemis("outage-joined-h2");
    try (Nodes nodes = nodes("outage-joined-h2", h2("outage-joined-h2"), broker)) {
      live(nodes, closed(nodes, LONG));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "all")
  void inOwnTransactionsOnH2AndEmbeddedMessaging() throws SQLException {
    try (Nodes nodes = nodes("outage-own-h2", h2("outage-own-h2"), EMBEDDED)) {
      nodes.get(0).inOwnTransactions();
      live(nodes, closed(nodes, LONG));
    }
  }

  /** Drivers let go, and transactions time out, while it lasts. */
  @Test
  @EnabledIfSystemProperty(named = ALL, matches = "all")
  void withTwoPhasesOnPostgresAndEmbeddedMessagingForLongerThanAnyTimeOut() throws SQLException {
    PostgresDatabase database = postgres("outage-xa");
    try (Nodes nodes = Nodes.one(settings, "outage-xa", database, EMBEDDED, Map.of())) {
      live(nodes, frozen(database, Duration.ofSeconds(150)), stopped(database, SHORT));
    }
  }

  /** PostgreSQL's own class would have Liberty forget it; see liberty-config. */
  @Test
  void aPreparedTransactionIsCommittedWhenPostgresIsBack() {
    PostgresDatabase database = postgres("outage-xa");
    try (Nodes nodes = Nodes.one(settings, "outage-xa", database, EMBEDDED, Map.of())) {
      Node node = nodes.get(0);
      node.rules().load(List.of(BETWEEN_THE_PHASES));
      nodes.start();
      try (Load load = nodes.load(node)) {
        load.awaitOrders(20);
        node.rules().arm(BETWEEN_THE_PHASES.part());
        await("prepared transactions").until(() -> !Tables.inDoubt(database).isEmpty());
        database.stop();
        nodes.mark(node, "database is stopped");
        database.start();
        nodes.mark(node, "has its database again");
        assertThat(Tables.inDoubt(database)).as("prepared transactions").isNotEmpty();
        node.rules().disarm(BETWEEN_THE_PHASES.part());
        load.awaitOrders(40);
      }
      nodes.awaitRest();
      List<Violation> violations = nodes.check();
      assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
    }
  }

  private static void live(Nodes nodes, Loss... losses) throws SQLException {
    Node node = nodes.get(0);
    node.rules()
        .load(
            List.of(
                Outage.slowHandler(),
                closed("JdbcPreparedStatement", "executeQuery"),
                closed("JdbcPreparedStatement", "executeUpdate"),
                closed("JdbcPreparedStatement", "executeBatch"),
                closed("JdbcPreparedStatement", "execute"),
                closed("JdbcStatement", "execute"),
                closed("JdbcConnection", "commit")));
    nodes.start();
    node.rules().arm("slow");
    try (Load load = nodes.load(node)) {
      load.awaitOrders(40);
      for (Loss loss : losses) {
        new Outage(nodes).happen(loss);
        load.awaitOrders(40);
      }
    }
    node.rules().disarm("slow");
    nodes.awaitRest();
    nodes.assertNothingIsOpen();
    assertThat(node.queues()).containsEntry(node.broker().deadLetters(), 0L);
    List<Violation> violations = nodes.check();
    assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
    Outage.assertHarmless(nodes, losses.length);
  }

  private static Loss killed(PostgresDatabase database, Duration length) {
    return new Loss("is killed", length, false, database::kill, database::start);
  }

  private static Loss stopped(PostgresDatabase database, Duration length) {
    return new Loss("is stopped", length, false, database::stop, database::start);
  }

  private static Loss frozen(PostgresDatabase database, Duration length) {
    return new Loss("is frozen", length, true, database::freeze, database::thaw);
  }

  /** As if somebody had closed the database under the server's feet. */
  private static Loss closed(Nodes nodes, Duration length) {
    Rules rules = nodes.get(0).rules();
    return new Loss(
        "is closed", length, false, () -> rules.arm(CLOSED), () -> rules.disarm(CLOSED));
  }

  private static Rule closed(String type, String method) {
    return new Rule(
        CLOSED,
        "org.h2.jdbc." + type,
        method,
        "AT ENTRY",
        "TRUE",
        "throw new java.sql.SQLNonTransientConnectionException(\"closed\", \"90098\", 90098)");
  }

  private Nodes nodes(String name, Database database, MessageBroker broker) {
    return Nodes.one(settings, name, database, broker, ONE_PHASE);
  }

  private PostgresDatabase postgres(String name) {
    return new PostgresDatabase(settings.work().resolve(name + "-data"));
  }

  private Database h2(String name) {
    return new H2Database(settings.work().resolve(name + "-1"));
  }

  private MessageBroker artemis(String name) {
    Path data = settings.work().resolve(name + "-broker");
    return Artemis.start(settings, data);
  }
}
