package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.outbox.WaitingMessages.Redirect;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.store.StatisticsStore;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedirectsTest {
  private static final String WHO = DeadLetterFixture.WHO;
  private static final Destinations STRICT =
      new Destinations(Set.of("shipping", "billing"), Map.of(), Map.of());

  private static Redirects redirects(DeadLetterFixture fixture, OutboxConfig config) {
    return new Redirects(
        new OutboxTables(fixture.database.dialect(), config, fixture.counting.dataSource()));
  }

  private static WaitingPlan plan(DeadLetterFixture fixture) {
    return new WaitingActions(
            new OutboxTables(
                fixture.database.dialect(), fixture.config, fixture.counting.dataSource()))
        .plan("shiping", WHO);
  }

  private static List<String> audit(DeadLetterFixture fixture) {
    return fixture.column(
        "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
            + " FROM shop.pb_postbox_audit ORDER BY at");
  }

  private static void refuses(Why why, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            PlanRefusedException.class, refused -> assertThat(refused.why()).isEqualTo(why));
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectIsOnRecordAndShownUntilItIsEnded(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      fixture.insert("PENDING", 2, "shiping", "CAST(NULL AS VARCHAR)");
      Redirects redirects = redirects(fixture, fixture.config);
      redirects.redirect(plan(fixture).token().id(), "shiping", "billing", WHO, "mistyped");
      redirects.redirect(plan(fixture).token().id(), "shiping", "shipping", WHO, "mistyped twice");

      assertThat(redirects.all())
          .extracting(
              Redirect::destination, Redirect::target, Redirect::principal, Redirect::reason)
          .containsExactly(tuple("shiping", "shipping", "ada", "mistyped twice"));
      try (Connection connection = fixture.counting.dataSource().getConnection()) {
        assertThat(
                Snapshot.of(
                        new StatisticsStore(database.dialect(), fixture.config.tables())
                            .read(connection)
                            .lines())
                    .redirected())
            .containsExactly("shiping");
      }
      assertThat(redirects.end("shiping", WHO, "sent")).isTrue();
      assertThat(redirects.end("shiping", WHO, "sent")).isFalse();
      assertThat(redirects.all()).isEmpty();
      assertThat(fixture.count()).as("no message is changed").isEqualTo(2);
      assertThat(audit(fixture))
          .containsExactly(
              "redirect ada mistyped 2 messages to 'shiping' go to 'billing'",
              "redirect ada mistyped twice 2 messages to 'shiping' go to 'shipping'",
              "end-redirect ada sent 0 shiping");
      assertThat(lines.lines())
          .containsExactly(
              "OBX0072 ada redirected messages for 'shiping' to 'billing': mistyped",
              "OBX0072 ada redirected messages for 'shiping' to 'shipping': mistyped twice",
              "OBX0073 ada ended the redirect of 'shiping': sent");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectNeedsAGoodPlanAReasonAndATargetThatThereIs(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    OutboxConfig strict = TestConfig.withDestinations(fixture.config, STRICT);
    Redirects redirects = redirects(fixture, strict);
    WaitingPlan plan = plan(fixture);
    for (String none : List.of("shopping", "shiping", "", "jms/../x", "s".repeat(101))) {
      assertThatThrownBy(() -> redirects.redirect(plan.token().id(), "shiping", none, WHO, "x"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Nothing was changed.");
    }
    assertThatThrownBy(() -> redirects.redirect(plan.token().id(), "shiping", "shipping", WHO, " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> redirects.end("shiping", WHO, " "))
        .isInstanceOf(IllegalArgumentException.class);
    refuses(
        Why.UNKNOWN, () -> redirects.redirect(plan.token().id(), "shopping", "shipping", WHO, "x"));
    refuses(
        Why.FOREIGN,
        () -> redirects.redirect(plan.token().id(), "shiping", "shipping", "eve", "x"));
    assertThat(audit(fixture)).isEmpty();
    assertThat(redirects.all()).isEmpty();

    redirects.redirect(plan.token().id(), "shiping", "shipping", WHO, "x");
    refuses(Why.USED, () -> redirects.redirect(plan.token().id(), "shiping", "billing", WHO, "x"));
    assertThat(redirects.all()).extracting(Redirect::target).containsExactly("shipping");
  }
}
