package io.postbox.outbox.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.testing.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteeRulesTest {
  private static final OutboxConfig LOCAL = TestConfig.DEFAULT.config();
  private static final OutboxConfig XA = xa(LOCAL);

  private static final Map<String, String> GOOD_SETTINGS =
      Map.of(
          "server_version_num", "180006",
          "fsync", "on",
          "full_page_writes", "on",
          "synchronous_commit", "on",
          "max_prepared_transactions", "50",
          "transaction_timeout", "0");
  private static final DatabaseFacts POSTGRESQL =
      new DatabaseFacts(
          Dialect.POSTGRESQL,
          "18.6",
          "jdbc:postgresql://db/shop",
          GOOD_SETTINGS,
          List.of(),
          List.of());
  private static final DatabaseFacts H2 =
      h2("2.4.240 (2025-09-22)", "jdbc:h2:file:/data/shop", "0");

  private static final ServerFacts ONE_PHASE = server(false, 50, "AssuredPersistent", true, 600);
  private static final ServerFacts TWO_PHASES = server(true, 50, "AssuredPersistent", true, 600);

  private static DatabaseFacts h2(String version, String url, String writeDelay) {
    return new DatabaseFacts(
        Dialect.H2, version, url, Map.of("WRITE_DELAY", writeDelay), List.of(), List.of());
  }

  private static DatabaseFacts postgresql(String setting, String value) {
    Map<String, String> settings = new TreeMap<>(GOOD_SETTINGS);
    settings.put(setting, value);
    return new DatabaseFacts(
        Dialect.POSTGRESQL, "18.6", POSTGRESQL.url(), settings, List.of(), List.of());
  }

  private static ServerFacts server(
      boolean xa, int pool, String mapping, boolean recovers, int longestSeconds) {
    return new ServerFacts(
        Optional.of(xa),
        Optional.of(pool),
        Optional.of(mapping),
        Optional.of(recovers),
        Optional.of(Duration.ofSeconds(longestSeconds)),
        Optional.of(0),
        Set.of());
  }

  @Test
  void settingsThatTheServerHidesAreNotChecked() {
    assertThat(GuaranteeRules.notChecked(XA, TWO_PHASES)).isEmpty();
    assertThat(GuaranteeRules.notChecked(XA, ServerFacts.UNKNOWN))
        .containsExactly(
            "pool-size",
            "persistent-mapping",
            "xa-one-phase",
            "transaction-recovery",
            "transaction-timeout");
    assertThat(GuaranteeRules.notChecked(LOCAL, ServerFacts.UNKNOWN))
        .doesNotContain("xa-one-phase");
    assertThat(GuaranteeRules.notChecked(LOCAL, ONE_PHASE)).isEmpty();
  }

  private static List<String> names(
      OutboxConfig config, DatabaseFacts database, ServerFacts server) {
    return GuaranteeRules.findings(config, database, server, PayloadFacts.NONE, false).stream()
        .map(Finding::name)
        .toList();
  }

  private static String onlyText(
      OutboxConfig config, DatabaseFacts database, ServerFacts server, String name) {
    List<Finding> findings =
        GuaranteeRules.findings(config, database, server, PayloadFacts.NONE, false);
    assertThat(findings).extracting(Finding::name).containsExactly(name);
    return findings.get(0).text();
  }

  private static OutboxConfig xa(OutboxConfig config) {
    return new OutboxConfig(
        config.service(),
        config.dataSource(),
        config.tables(),
        config.createTables(),
        config.connectionFactory(),
        config.partitions(),
        config.maxPayload(),
        config.maxAttempts(),
        config.backoff(),
        config.onDeadLetter(),
        config.afterSending(),
        Delivery.XA,
        config.duplicateDetection(),
        config.retention(),
        config.backlog(),
        config.relay(),
        config.destinations(),
        config.recoveries(),
        config.confidentiality(),
        config.metrics(),
        config.unknownKeys());
  }

  @Test
  void goodSettingsHaveNoFinding() {
    assertThat(names(LOCAL, H2, ONE_PHASE)).isEmpty();
    assertThat(names(LOCAL, POSTGRESQL, ONE_PHASE)).isEmpty();
    assertThat(names(LOCAL, POSTGRESQL, TWO_PHASES)).isEmpty();
    assertThat(names(XA, POSTGRESQL, TWO_PHASES)).isEmpty();
  }

  @Test
  void relayOnlyRulesDoNotApplyBesideAConnector() {
    OutboxConfig cdc = TestConfig.DEFAULT.withCdc().config();
    ServerFacts small = server(false, 1, "ReliablePersistent", true, 1);
    DatabaseFacts hasty = postgresql("transaction_timeout", "10");

    assertThat(names(LOCAL, hasty, small))
        .containsExactly(
            "postgresql-transaction-timeout",
            "pool-size",
            "persistent-mapping",
            "transaction-timeout");
    assertThat(names(cdc, hasty, small)).isEmpty();
    assertThat(names(cdc, POSTGRESQL, server(true, 50, "AssuredPersistent", false, 600)))
        .as("business transactions may have two phases")
        .isEqualTo(names(LOCAL, POSTGRESQL, server(true, 50, "AssuredPersistent", false, 600)))
        .hasSize(1);
  }

  @Test
  void unknownSettingsAreNoFinding() {
    DatabaseFacts silent =
        new DatabaseFacts(
            Dialect.POSTGRESQL, "18.6", POSTGRESQL.url(), Map.of(), List.of(), List.of());

    assertThat(names(LOCAL, silent, ServerFacts.UNKNOWN)).isEmpty();
    assertThat(names(XA, silent, ServerFacts.UNKNOWN)).isEmpty();
  }

  @Test
  void h2ThatLosesOrMayLoseCommitsIsFound() {
    assertThat(onlyText(LOCAL, h2("2.5.252 (2026-05-01)", H2.url(), "0"), ONE_PHASE, "h2-version"))
        .contains("2.4.240");
    assertThat(onlyText(LOCAL, h2("2.4.240", H2.url(), "500"), ONE_PHASE, "h2-write-delay"))
        .contains("500 ms")
        .contains(";WRITE_DELAY=0");
    assertThat(onlyText(LOCAL, h2("2.4.240", "jdbc:h2:mem:x", "500"), ONE_PHASE, "h2-in-memory"))
        .contains("jdbc:h2:file:");
  }

  @Test
  void h2WithXaIsFoundHoweverItCameAbout() {
    assertThat(onlyText(LOCAL, H2, TWO_PHASES, "h2-xa")).contains("type=\"javax.sql.DataSource\"");
    assertThat(onlyText(XA, H2, ONE_PHASE, "h2-xa")).contains("postbox.outbox.delivery=local");
    assertThat(names(XA, H2, TWO_PHASES)).containsExactly("h2-xa");
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, postgresql-fsync",
    "full_page_writes, postgresql-full-page-writes",
    "synchronous_commit, postgresql-synchronous-commit"
  })
  void postgresThatIsNotDurableIsFound(String setting, String name) {
    assertThat(onlyText(LOCAL, postgresql(setting, "off"), ONE_PHASE, name))
        .contains(setting + "=off")
        .contains("Set " + setting + "=on");
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "local", "remote_write", "remote_apply"})
  void everyOtherSynchronousCommitIsDurable(String value) {
    assertThat(names(LOCAL, postgresql("synchronous_commit", value), ONE_PHASE)).isEmpty();
  }

  @Test
  void preparedTransactionsCountOnlyWithXa() {
    DatabaseFacts none = postgresql("max_prepared_transactions", "0");

    assertThat(names(LOCAL, none, TWO_PHASES)).isEmpty();
    assertThat(onlyText(XA, none, TWO_PHASES, "postgresql-max-prepared-transactions"))
        .contains("max_prepared_transactions=0");
  }

  @Test
  void anOldPostgresIsFound() {
    assertThat(names(LOCAL, postgresql("server_version_num", "130011"), ONE_PHASE))
        .containsExactly("postgresql-version");
  }

  @Test
  void aTransactionLimitThatEndsBatchesIsFound() {
    assertThat(
            onlyText(
                LOCAL,
                postgresql("transaction_timeout", "30000"),
                ONE_PHASE,
                "postgresql-transaction-timeout"))
        .contains("transaction_timeout=30000 ms")
        .contains("postbox.outbox.relay.send-timeout=30s");
    assertThat(names(LOCAL, postgresql("transaction_timeout", "30001"), ONE_PHASE)).isEmpty();

    ServerFacts hurried = server(false, 50, "AssuredPersistent", true, 29);
    assertThat(onlyText(LOCAL, POSTGRESQL, hurried, "transaction-timeout"))
        .contains("after 29s")
        .contains("Raise the server's limit of transactions of applications, or");
    ServerFacts unlimited = server(false, 50, "AssuredPersistent", true, 0);
    assertThat(names(LOCAL, POSTGRESQL, unlimited)).isEmpty();
  }

  @Test
  void missingIndexesAreNamed() {
    DatabaseFacts bare =
        new DatabaseFacts(
            Dialect.POSTGRESQL,
            "18.6",
            POSTGRESQL.url(),
            GOOD_SETTINGS,
            List.of(),
            List.of("a_ix", "b_ix"));

    assertThat(onlyText(LOCAL, bare, ONE_PHASE, "missing-index"))
        .contains("a_ix, b_ix")
        .contains("META-INF/postbox/postgresql/outbox.sql");
  }

  @Test
  void aPoolThatTheRelayAloneExhaustsIsFound() {
    assertThat(LOCAL.relay().workers()).isEqualTo(2);
    assertThat(names(LOCAL, H2, server(false, 4, "AssuredPersistent", true, 600))).isEmpty();
    assertThat(onlyText(LOCAL, H2, server(false, 3, "AssuredPersistent", true, 600), "pool-size"))
        .contains("has 3 connections")
        .contains("needs 4")
        .contains("Let the data source's pool have more connections.");
    assertThat(names(LOCAL, H2, server(false, 0, "AssuredPersistent", true, 600)))
        .as("0 stands for no limit")
        .isEmpty();
  }

  @Test
  void aMessagingEngineThatMayLoseMessagesIsFound() {
    ServerFacts careless = server(false, 50, "ReliablePersistent", true, 600);

    assertThat(onlyText(LOCAL, H2, careless, "persistent-mapping"))
        .contains("ReliablePersistent")
        .contains("Let the connection factory send persistent messages as such.");
  }

  @Test
  void aPersistenceUnitThatWritesOutsideOfItsTransactionIsFound() {
    ServerFacts outside =
        new ServerFacts(
            ONE_PHASE.xaDataSource(),
            ONE_PHASE.poolSize(),
            ONE_PHASE.persistentMapping(),
            ONE_PHASE.recoversAtStart(),
            ONE_PHASE.longestTransaction(),
            ONE_PHASE.mostDeliveries(),
            Set.of("java:comp/DefaultDataSource"));

    assertThat(onlyText(LOCAL, POSTGRESQL, outside, "persistence-unit"))
        .contains("has java:comp/DefaultDataSource as its jta-data-source", "Remove the element");
  }

  @Test
  void xaOverOnePhaseIsFound() {
    assertThat(onlyText(XA, POSTGRESQL, ONE_PHASE, "xa-one-phase"))
        .contains("Make the data source an XA data source, or");
  }

  @Test
  void recoveryCountsWhereSomethingCanBeInDoubt() {
    ServerFacts late = server(true, 50, "AssuredPersistent", false, 600);
    ServerFacts nothingInDoubt = server(false, 50, "AssuredPersistent", false, 600);

    assertThat(onlyText(LOCAL, POSTGRESQL, late, "transaction-recovery"))
        .contains("recover transactions when it starts");
    assertThat(names(LOCAL, POSTGRESQL, nothingInDoubt)).isEmpty();
  }

  /** The claim's transaction holds the time for opening and the time for sending. */
  @Test
  void theTimeToOpenPayloadsCountsAndSoDoTheirConnections() {
    PayloadFacts loader = new PayloadFacts(Duration.ofSeconds(15), 4);

    assertThat(
            GuaranteeRules.findings(
                LOCAL, postgresql("transaction_timeout", "45000"), ONE_PHASE, loader, false))
        .singleElement()
        .extracting(Finding::text)
        .asString()
        .contains("send-timeout=30s, with 15s before that to load and decrypt payloads,");
    assertThat(
            GuaranteeRules.findings(
                LOCAL, postgresql("transaction_timeout", "45001"), ONE_PHASE, loader, false))
        .isEmpty();

    ServerFacts small = server(false, 7, "AssuredPersistent", true, 600);
    assertThat(names(LOCAL, H2, small)).isEmpty();
    assertThat(GuaranteeRules.findings(LOCAL, H2, small, loader, false))
        .singleElement()
        .extracting(Finding::text)
        .asString()
        .contains(
            "has 7 connections; the relay alone needs 8",
            "and 4 for payload loads if those read the same database");
  }
}
