package io.postbox.inbox.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Consumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuaranteeRulesTest {
  private static final InboxConfig CONFIG = TestConfig.shop(false);
  private static final List<Consumer> CONSUMERS =
      List.of(
          new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, ""),
          new Consumer("mail", IdFrom.PROPERTY, "id"));
  private static final Map<String, String> GOOD_SETTINGS =
      Map.of(
          "server_version_num", "180006",
          "fsync", "on",
          "full_page_writes", "on",
          "synchronous_commit", "on",
          "max_prepared_transactions", "50");
  private static final DatabaseFacts POSTGRESQL = postgresql(GOOD_SETTINGS, List.of(), List.of());
  private static final DatabaseFacts H2 =
      h2("2.4.240 (2025-09-22)", "jdbc:h2:file:/data/shop", "0");
  private static final ServerFacts ONE_PHASE = server(false, 50, true, 120);
  private static final ServerFacts TWO_PHASES = server(true, 50, true, 120);

  @Test
  void settingsThatTheServerHidesAreNotChecked() {
    assertThat(GuaranteeRules.notChecked(ONE_PHASE)).isEmpty();
    assertThat(GuaranteeRules.notChecked(TWO_PHASES)).isEmpty();
    assertThat(GuaranteeRules.notChecked(ServerFacts.UNKNOWN))
        .containsExactly("pool-size", "transaction-recovery", "transaction-timeout");
  }

  private static DatabaseFacts h2(String version, String url, String writeDelay) {
    return new DatabaseFacts(
        Dialect.H2, version, url, Map.of("WRITE_DELAY", writeDelay), List.of(), List.of());
  }

  private static DatabaseFacts postgresql(
      Map<String, String> settings, List<String> missingKeys, List<String> missingIndexes) {
    return new DatabaseFacts(
        Dialect.POSTGRESQL,
        "18.6",
        "jdbc:postgresql://db/shop",
        settings,
        missingKeys,
        missingIndexes);
  }

  private static DatabaseFacts postgresql(String setting, String value) {
    Map<String, String> settings = new TreeMap<>(GOOD_SETTINGS);
    settings.put(setting, value);
    return postgresql(settings, List.of(), List.of());
  }

  private static ServerFacts server(boolean xa, int pool, boolean recovers, int timeoutSeconds) {
    return new ServerFacts(
        Optional.of(xa),
        Optional.of(pool),
        Optional.empty(),
        Optional.of(recovers),
        Optional.of(Duration.ofSeconds(timeoutSeconds)),
        Optional.of(0),
        Set.of());
  }

  @Test
  void aHigherIsolationLevelIsAFinding() {
    assertThat(names(postgresql("isolation", "8"), ONE_PHASE)).containsExactly("isolation");
    assertThat(names(postgresql("isolation", "2"), ONE_PHASE)).isEmpty();
  }

  private static List<String> names(DatabaseFacts database, ServerFacts server) {
    return GuaranteeRules.findings(CONFIG, CONSUMERS, database, server).stream()
        .map(Finding::name)
        .toList();
  }

  private static String onlyText(DatabaseFacts database, ServerFacts server, String name) {
    List<Finding> findings = GuaranteeRules.findings(CONFIG, CONSUMERS, database, server);
    assertThat(findings).extracting(Finding::name).containsExactly(name);
    return findings.get(0).text();
  }

  @Test
  void goodSettingsHaveNoFinding() {
    assertThat(names(H2, ONE_PHASE)).isEmpty();
    assertThat(names(POSTGRESQL, ONE_PHASE)).isEmpty();
    assertThat(names(POSTGRESQL, TWO_PHASES)).isEmpty();
  }

  @Test
  void unknownSettingsAreNoFinding() {
    assertThat(names(postgresql(Map.of(), List.of(), List.of()), ServerFacts.UNKNOWN)).isEmpty();
    assertThat(names(H2, ServerFacts.UNKNOWN)).isEmpty();
  }

  @Test
  void aKeyThatIsNotThereIsFoundForWithoutItDuplicatesAreHandled() {
    DatabaseFacts database = postgresql(GOOD_SETTINGS, List.of("inbox_message_pk"), List.of());
    assertThat(onlyText(database, ONE_PHASE, "missing-key"))
        .contains("inbox_message_pk", "twice", "META-INF/postbox/postgresql/inbox.sql");
  }

  @Test
  void missingIndexesAreNamed() {
    DatabaseFacts database =
        postgresql(GOOD_SETTINGS, List.of(), List.of("inbox_failure_message_ix"));
    assertThat(onlyText(database, ONE_PHASE, "missing-index")).contains("inbox_failure_message_ix");
  }

  @Test
  void h2ThatLosesOrMayLoseCommitsIsFound() {
    assertThat(onlyText(h2("2.5.252 (2026-05-01)", H2.url(), "0"), ONE_PHASE, "h2-version"))
        .contains("2.4.240");
    assertThat(onlyText(h2("2.4.240", H2.url(), "500"), ONE_PHASE, "h2-write-delay"))
        .contains("500 ms", ";WRITE_DELAY=0");
    assertThat(onlyText(h2("2.4.240", "jdbc:h2:mem:x", "500"), ONE_PHASE, "h2-in-memory"))
        .contains("jdbc:h2:file:");
    assertThat(onlyText(H2, TWO_PHASES, "h2-xa")).contains("type=\"javax.sql.DataSource\"");
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, postgresql-fsync",
    "full_page_writes, postgresql-full-page-writes",
    "synchronous_commit, postgresql-synchronous-commit"
  })
  void postgresThatIsNotDurableIsFound(String setting, String name) {
    assertThat(onlyText(postgresql(setting, "off"), ONE_PHASE, name))
        .contains(setting + "=off", "Set " + setting + "=on");
  }

  @Test
  void preparedTransactionsCountOnlyWithXa() {
    DatabaseFacts none = postgresql("max_prepared_transactions", "0");
    assertThat(onlyText(none, TWO_PHASES, "postgresql-max-prepared-transactions"))
        .contains("jdbc/shop");
    assertThat(names(none, ONE_PHASE)).isEmpty();
    assertThat(
            onlyText(postgresql("server_version_num", "130011"), ONE_PHASE, "postgresql-version"))
        .contains("older than 14");
  }

  @Test
  void aPoolIsTooSmallForTheDeliveriesTheRecorderAndTheProbe() {
    assertThat(onlyText(POSTGRESQL, server(true, 3, true, 120), "pool-size"))
        .contains("has 3 connections", "at least 4");
    assertThat(names(POSTGRESQL, server(true, 4, true, 120))).isEmpty();
    assertThat(names(POSTGRESQL, server(true, 0, true, 120))).as("no limit").isEmpty();
  }

  @Test
  void recoveryCountsWhereSomethingCanBeInDoubt() {
    assertThat(onlyText(POSTGRESQL, server(true, 50, false, 120), "transaction-recovery"))
        .contains("recover transactions when it starts");
    assertThat(names(POSTGRESQL, server(false, 50, false, 120))).isEmpty();
  }

  @Test
  void aTransactionThatEndsBeforeTheWaitForTheDatabaseIsFound() {
    assertThat(onlyText(POSTGRESQL, server(true, 50, true, 20), "transaction-timeout"))
        .contains("outage-wait=20s", "or raise the server's time-out of transactions.");
    assertThat(names(POSTGRESQL, server(true, 50, true, 21))).isEmpty();
    assertThat(names(POSTGRESQL, server(true, 50, true, 0))).as("no limit").isEmpty();
  }

  private static ServerFacts onePhase(int mostDeliveries, Set<String> dataSourcesOutside) {
    return new ServerFacts(
        ONE_PHASE.xaDataSource(),
        ONE_PHASE.poolSize(),
        ONE_PHASE.persistentMapping(),
        ONE_PHASE.recoversAtStart(),
        ONE_PHASE.longestTransaction(),
        Optional.of(mostDeliveries),
        dataSourcesOutside);
  }

  @Test
  void aPersistenceUnitThatWritesOutsideOfItsTransactionIsFound() {
    ServerFacts outside = onePhase(0, Set.of("java:comp/DefaultDataSource"));

    assertThat(onlyText(POSTGRESQL, outside, "persistence-unit"))
        .contains("has java:comp/DefaultDataSource as its jta-data-source", "Remove the element");
    assertThat(names(H2, outside)).containsExactly("persistence-unit");
  }

  @Test
  void aBrokerThatGivesMessagesUpIsFound() {
    ServerFacts limited = onePhase(10, Set.of());

    assertThat(onlyText(POSTGRESQL, limited, "delivery-limit"))
        .contains("after 10 deliveries", "Let the broker deliver a message as often as it takes.");
  }

  @Test
  void anIdThatIsAnotherOneWhenAMessageIsSentAgainIsFound() {
    List<Finding> findings =
        GuaranteeRules.findings(
            CONFIG,
            List.of(
                new Consumer("b", IdFrom.JMS_MESSAGE_ID, ""),
                new Consumer("a", IdFrom.JMS_MESSAGE_ID, ""),
                new Consumer("c", IdFrom.OUTBOX_MESSAGE_ID, "")),
            POSTGRESQL,
            TWO_PHASES);
    assertThat(findings)
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("id-source");
              assertThat(found.text()).contains("a, b", "JMSMessageID");
            });
  }
}
