package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.common.config.Backoff;
import io.postbox.common.ops.PolicyCache;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoliciesTest {
  private static final String WHO = KeptFixture.WHO;
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
          + " FROM shop.pb_postbox_audit ORDER BY at";
  private static final DeployedConsumers ONE =
      new DeployedConsumers(Set.of("shipping", "ordered"), false);
  private static final RetryPolicy NOTHING = RetryPolicy.asConfigured();
  private static final RetryPolicy TWICE = NOTHING.maxAttempts(2);
  private static final RetryPolicy ALL_SAID =
      NOTHING.maxAttempts(7).firstBackoff(Duration.ofMillis(50)).maxBackoff(Duration.ofMinutes(2));

  private static RuntimePolicies node(KeptFixture fixture) {
    return RuntimePolicies.on(fixture.config, fixture.dataSource, fixture.clock);
  }

  private static Policies policies(KeptFixture fixture, RuntimePolicies node) {
    return new Policies(node, fixture.calls(fixture.dataSource), ONE);
  }

  @ParameterizedTest
  @EnumSource
  void aPolicyIsInEffectListedAndOnRecordUntilItIsReset(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    RuntimePolicies node = node(fixture);
    Policies policies = policies(fixture, node);
    ConsumerConfig configured = fixture.config.of("ordered");
    try (LogLines lines = new LogLines()) {
      policies.set("ordered", ALL_SAID, WHO, "flaky today");
      ConsumerConfig set = node.of("ordered");
      assertThat(set.maxAttempts()).isEqualTo(7);
      assertThat(set.backoff())
          .isEqualTo(new Backoff(Duration.ofMillis(50), Duration.ofMinutes(2)));
      assertThat(set.with(configured.retries())).as("all else").isEqualTo(configured);
      assertThat(set.order()).isPresent();
      assertThat(node.of("shipping")).isEqualTo(fixture.config.of("shipping"));
      assertThat(policies.list())
          .singleElement()
          .satisfies(
              listed ->
                  assertThat(listed)
                      .isEqualTo(
                          new RuntimePolicy<>(
                              "ordered", ALL_SAID, "flaky today", WHO, listed.since())));

      policies.set("ordered", TWICE, WHO, "worse");
      assertThat(node.of("ordered").maxAttempts()).isEqualTo(2);
      assertThat(node.of("ordered").backoff()).isEqualTo(configured.backoff());
      assertThat(policies.reset("ordered", WHO, "well again")).isTrue();
      assertThat(policies.reset("ordered", WHO, "twice")).isFalse();
      assertThat(node.of("ordered")).isEqualTo(configured);
      assertThat(policies.list()).isEmpty();
      assertThat(fixture.column(AUDIT))
          .containsExactly(
              "set-policy ada flaky today 0 ordered: max-attempts=7, backoff.first=50ms,"
                  + " backoff.max=2m",
              "set-policy ada worse 0 ordered: max-attempts=2",
              "end-policy ada well again 0 ordered");
      assertThat(lines.all())
          .extracting(line -> line.substring(0, 7))
          .containsExactly("IBX0090", "IBX0090", "IBX0091");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalNamesThingValueAndWayOutAndChangesNothing(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    Policies policies = policies(fixture, node(fixture));

    assertThatThrownBy(() -> policies.set("shiping", NOTHING.maxAttempts(0), WHO, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The policy of the consumer 'shiping' was not set, nothing was")
        .hasMessageContaining("did you mean 'shipping'?")
        .hasMessageContaining("max-attempts=0: expected a whole number from 1 to 1000000");
    for (String name : new String[] {"", " ", "s".repeat(101), "a\nb"}) {
      assertThatThrownBy(
              () ->
                  new Policies(
                          node(fixture),
                          fixture.calls(fixture.dataSource),
                          new DeployedConsumers(Set.of(), true))
                      .set(name, TWICE, WHO, "x"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a consumer's name has 1 to 100 characters");
    }
    assertThatThrownBy(() -> policies.set("shipping", NOTHING, WHO, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it says nothing");
    assertThatThrownBy(() -> policies.set("shipping", TWICE, WHO, " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(policies.list()).isEmpty();
    assertThat(fixture.column(AUDIT)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aConsumerThatOnlyTheCodeKnowsMayHaveOne(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    RuntimePolicies node = node(fixture);
    new Policies(
            node,
            fixture.calls(fixture.dataSource),
            new DeployedConsumers(Set.of("shipping"), true))
        .set("guarded by hand", TWICE, WHO, "x");

    assertThat(node.of("guarded by hand").maxAttempts()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void anotherNodeFollowsWithOneStatementAndKeepsTheLastRead(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    RuntimePolicies other = node(fixture);
    other.cache().readIfDue();
    Policies policies = policies(fixture, node(fixture));
    policies.set("shipping", TWICE, WHO, "x");
    fixture.statements.clear();
    other.cache().readIfDue();
    assertThat(fixture.statements).isEmpty();
    fixture.clock.advance(PolicyCache.INTERVAL);
    other.cache().readIfDue();
    assertThat(other.of("shipping").maxAttempts()).isEqualTo(2);
    assertThat(other.of("shipping").maxAttempts()).isEqualTo(2);
    assertThat(fixture.statements).as("asking costs none").hasSize(1);

    try (LogLines lines = new LogLines()) {
      fixture.run("ALTER TABLE shop.pb_inbox_policy RENAME TO gone");
      other.cache().refresh();
      other.cache().refresh();
      assertThat(other.of("shipping").maxAttempts()).isEqualTo(2);
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0092 ");
      assertThatThrownBy(policies::list)
          .isInstanceOf(InboxException.class)
          .hasMessageStartingWith("The policies cannot be read: ");
      fixture.run("ALTER TABLE shop.gone RENAME TO pb_inbox_policy");
      other.cache().refresh();
      assertThat(lines.all()).last().asString().startsWith("IBX0093 ");
    }
  }
}
