package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.RuntimePolicy;
import io.postbox.common.config.Backoff;
import io.postbox.common.ops.PolicyCache;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoliciesTest {
  private static final String WHO = DeadLetterFixture.WHO;
  private static final OutboxPolicy NOTHING = OutboxPolicy.asConfigured();
  private static final OutboxPolicy TWICE = NOTHING.maxAttempts(2);
  private static final OutboxPolicy ALL_SAID =
      NOTHING
          .maxAttempts(7)
          .firstBackoff(Duration.ofMillis(50))
          .maxBackoff(Duration.ofMinutes(2))
          .onDeadLetter(OutboxPolicy.OnDeadLetter.CONTINUE);

  private static RuntimePolicies node(DeadLetterFixture fixture) {
    return node(fixture, fixture.config);
  }

  private static RuntimePolicies node(DeadLetterFixture fixture, OutboxConfig config) {
    return RuntimePolicies.on(config, fixture.counting.dataSource(), fixture.clock);
  }

  private static Policies policies(DeadLetterFixture fixture, RuntimePolicies node) {
    return new Policies(node, fixture.counting.dataSource());
  }

  private static List<String> audit(DeadLetterFixture fixture) {
    return fixture.column(
        "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
            + " FROM shop.pb_postbox_audit ORDER BY at");
  }

  @ParameterizedTest
  @EnumSource
  void aPolicyIsInEffectListedAndOnRecordUntilItIsReset(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    RuntimePolicies node = node(fixture);
    Policies policies = policies(fixture, node);
    Recovery configured = fixture.config.recovery("d");
    Instant before = Instant.now();
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      policies.set("d", ALL_SAID, WHO, "flaky today");
      assertThat(node.recovery("d"))
          .isEqualTo(
              new Recovery(
                  7,
                  new Backoff(Duration.ofMillis(50), Duration.ofMinutes(2)),
                  OnDeadLetter.CONTINUE));
      assertThat(node.recovery("other")).isEqualTo(configured);
      assertThat(policies.list())
          .singleElement()
          .satisfies(
              set ->
                  assertThat(set)
                      .isEqualTo(
                          new RuntimePolicy<>("d", ALL_SAID, "flaky today", WHO, set.since())));
      assertThat(policies.list().get(0).since()).isAfter(before.minusSeconds(60));

      policies.set("d", TWICE, WHO, "worse");
      assertThat(node.recovery("d"))
          .as("what is not said any more is as configured")
          .isEqualTo(new Recovery(2, configured.backoff(), configured.onDeadLetter()));
      assertThat(policies.reset("d", WHO, "well again")).isTrue();
      assertThat(policies.reset("d", WHO, "twice")).isFalse();
      assertThat(node.recovery("d")).isEqualTo(configured);
      assertThat(policies.list()).isEmpty();
      assertThat(audit(fixture))
          .containsExactly(
              "set-policy ada flaky today 0 d: max-attempts=7, backoff.first=50ms,"
                  + " backoff.max=2m, on-dead-letter=continue",
              "set-policy ada worse 0 d: max-attempts=2",
              "end-policy ada well again 0 d");
      assertThat(lines.lines())
          .extracting(line -> line.substring(0, 7))
          .containsExactly("OBX0091", "OBX0091", "OBX0092");
      assertThat(lines.lines().get(1)).contains("ada", "'d'", "max-attempts=2", "worse");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalNamesThingValueAndWayOutAndChangesNothing(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    RuntimePolicies node =
        node(
            fixture,
            TestConfig.withDestinations(
                fixture.config, new Destinations(Set.of("shipping"), Map.of(), Map.of())));
    Policies policies = policies(fixture, node);

    assertThatThrownBy(() -> policies.set("shiping", NOTHING.maxAttempts(0), WHO, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The policy of the destination 'shiping' was not set, nothing was")
        .hasMessageContaining("did you mean 'shipping'?")
        .hasMessageContaining("max-attempts=0: expected a whole number from 1 to 1000000");
    assertThatThrownBy(() -> policies.set("shipping", NOTHING, WHO, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it says nothing")
        .hasMessageContaining("reset it");
    assertThatThrownBy(() -> policies.set("shipping", TWICE, WHO, " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("A reason has 1 to 1000 characters");
    assertThatThrownBy(() -> policies.reset("shipping", WHO, ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(policies.list()).isEmpty();
    assertThat(audit(fixture)).isEmpty();
    assertThat(node.cache().all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anotherNodeFollowsWithOneStatementEveryFewSeconds(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    RuntimePolicies other = node(fixture);
    int before = fixture.counting.statements();
    other.cache().readIfDue();
    other.cache().readIfDue();
    assertThat(fixture.counting.statements() - before).isOne();

    policies(fixture, node(fixture)).set("d", TWICE, WHO, "x");
    before = fixture.counting.statements();
    other.cache().readIfDue();
    assertThat(other.recovery("d")).isEqualTo(fixture.config.recovery("d"));
    fixture.clock.advance(PolicyCache.INTERVAL);
    other.cache().readIfDue();
    assertThat(other.recovery("d").maxAttempts()).isEqualTo(2);
    for (int i = 0; i < 1_000; i++) {
      assertThat(other.recovery("d").maxAttempts()).isEqualTo(2);
    }
    assertThat(fixture.counting.statements() - before).as("asking costs none").isOne();
    assertThat(PolicyCache.INTERVAL.plusMillis(500)) // how long the scheduler may rest
        .isLessThan(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @EnumSource
  void whileTheTableCannotBeReadTheLastReadStays(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    RuntimePolicies node = node(fixture);
    Policies policies = policies(fixture, node);
    policies.set("d", TWICE, WHO, "x");
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      fixture.rows.execute("ALTER TABLE shop.pb_outbox_policy RENAME TO gone");
      for (int i = 0; i < 3; i++) {
        fixture.clock.advance(PolicyCache.INTERVAL);
        node.cache().readIfDue();
      }
      assertThat(node.recovery("d").maxAttempts()).isEqualTo(2);
      assertThat(lines.lines()).singleElement().asString().startsWith("OBX0093 ");
      assertThatThrownBy(policies::list)
          .isInstanceOf(OutboxException.class)
          .hasMessageStartingWith("The policies cannot be read: ");
      assertThatThrownBy(() -> policies.set("d", ALL_SAID, WHO, "y"))
          .isInstanceOf(OutboxException.class)
          .hasMessageStartingWith("The policy of 'd' was not set: ");
      assertThatThrownBy(() -> policies.reset("d", WHO, "y"))
          .isInstanceOf(OutboxException.class)
          .hasMessageStartingWith("The policy of 'd' was not ended: ");
      assertThat(node.recovery("d").maxAttempts()).isEqualTo(2);

      fixture.rows.execute("ALTER TABLE shop.gone RENAME TO pb_outbox_policy");
      fixture.clock.advance(PolicyCache.INTERVAL);
      node.cache().readIfDue();
      assertThat(lines.lines()).last().asString().startsWith("OBX0094 ");
      assertThat(lines.lines()).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPolicyWhoseCommitFailsIsNeitherInEffectNorLogged(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    RuntimePolicies node = node(fixture);
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      fixture.counting.loseCommits(1);
      assertThatThrownBy(() -> policies(fixture, node).set("d", TWICE, WHO, "x"))
          .isInstanceOf(OutboxException.class);
      assertThat(lines.lines()).isEmpty();
    }
    assertThat(node.cache().all()).isEmpty();
    assertThat(fixture.rows.count("outbox_policy")).isZero();
    assertThat(audit(fixture)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void thereIsRoomForAThousandAndTheyCanBeReplaced(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    RuntimePolicies node = node(fixture);
    Policies policies = policies(fixture, node);
    String numbers =
        database == TestDatabase.H2
            ? "(SELECT X AS i FROM SYSTEM_RANGE(1, 1000))"
            : "(SELECT generate_series AS i FROM generate_series(1, 1000))";
    fixture.rows.execute(
        "INSERT INTO shop.pb_outbox_policy (destination, max_attempts, reason, principal)"
            + " SELECT 'd-' || i, 5, 'x', 'ada' FROM "
            + numbers
            + " n");

    assertThatThrownBy(() -> policies.set("d", TWICE, WHO, "one more"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1000 policies")
        .hasMessageContaining("'d'")
        .hasMessageContaining("Reset those that are not needed");
    assertThat(audit(fixture)).isEmpty();
    policies.set("d-1000", TWICE, WHO, "in place of another");
    assertThat(node.recovery("d-1000").maxAttempts()).isEqualTo(2);
    assertThat(node.recovery("d-1").maxAttempts()).isEqualTo(5);
    assertThat(policies.list()).hasSize(1_000);
    assertThat(policies.reset("d-1", WHO, "x")).isTrue();
    policies.set("d", TWICE, WHO, "there is room");
    assertThat(policies.list())
        .hasSize(1_000)
        .extracting(RuntimePolicy::name, RuntimePolicy::policy)
        .contains(tuple("d", TWICE));
  }

  @ParameterizedTest
  @EnumSource
  void theDatabaseRefusesWhatIsOutOfBoundsWhoeverWritesIt(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    for (String values :
        List.of(
            "0, NULL, NULL, NULL",
            "NULL, 0, NULL, NULL",
            "NULL, NULL, 86400001, NULL",
            "NULL, 2, 1, NULL",
            "NULL, NULL, NULL, 'hold'")) {
      assertThatThrownBy(
              () ->
                  fixture.rows.execute(
                      "INSERT INTO shop.pb_outbox_policy (destination, max_attempts,"
                          + " backoff_first_ms, backoff_max_ms, on_dead_letter, reason, principal)"
                          + " VALUES ('d', "
                          + values
                          + ", 'x', 'x')"))
          .as(values)
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(fixture.rows.count("outbox_policy")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whereAConnectorSendsOnlyOldOnesCanBeEnded(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    policies(fixture, node(fixture)).set("d", TWICE, WHO, "x");
    Policies policies =
        policies(
            fixture,
            node(fixture, TestConfig.DEFAULT.withTables("shop", "pb_").withCdc().config()));

    assertThatThrownBy(() -> policies.set("d", ALL_SAID, WHO, "x"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("postbox.outbox.relay.mode=cdc");
    assertThat(policies.list()).hasSize(1);
    assertThat(policies.reset("d", WHO, "x")).isTrue();
  }
}
