package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.PlanToken;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The plan that an operator needs while millions wait. */
class WaitingCountTest {
  @ParameterizedTest
  @EnumSource
  void aPlanCountsNoMoreThanItsLimitOfEachState(TestDatabase database) throws SQLException {
    OutboxConfig config = TestConfig.DEFAULT.config();
    DataSource dataSource = database.fresh();
    try (Connection connection = dataSource.getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
      Rows rows = new Rows(dataSource, config.tables());
      for (int i = 0; i < 30; i++) {
        rows.execute(
            """
            INSERT INTO outbox_message (partition_no, id, destination, content_type, payload_text,
              headers, status)
            VALUES (%s, CAST('00000000-0000-0000-0000-0000000000%s' AS UUID), 'd', 'text/plain', 'x',
              '{}', '%s')
            """
                .formatted(i % 4, 10 + i, i < 8 ? "DELAYED" : i < 12 ? "HELD" : "PENDING"));
      }
      WaitingPlan counted =
          new WaitingStore(database.dialect(), config.tables(), 10)
              .count(connection, "d", PlanToken.NONE);
      assertThat(counted)
          .returns(10L, WaitingPlan::pending)
          .returns(8L, WaitingPlan::delayed)
          .returns(4L, WaitingPlan::held);
    }
  }

  @Test
  void aPlanSaysThatItsNumbersAreTheLeast() {
    long most = WaitingPlan.MOST_COUNTED;
    Instant now = Instant.EPOCH;
    assertThat(new WaitingPlan(PlanToken.NONE, "d", now, most - 1, 0, 0).estimated()).isFalse();
    assertThat(new WaitingPlan(PlanToken.NONE, "d", now, most, 0, 0).estimated()).isTrue();
    assertThat(new WaitingPlan(PlanToken.NONE, "d", now, 0, 0, most).estimated()).isTrue();
  }

  /** Else the first destinations would use up the limit, and the others show none. */
  @ParameterizedTest
  @EnumSource
  void aPlanOfLettersCountsUpToTheLimitForEachDestination(TestDatabase database)
      throws SQLException {
    OutboxConfig config = TestConfig.DEFAULT.config();
    DataSource dataSource = database.fresh();
    try (Connection connection = dataSource.getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
      Rows rows = new Rows(dataSource, config.tables());
      for (int i = 0; i < 30; i++) {
        rows.execute(
            """
            INSERT INTO outbox_message (partition_no, id, destination, content_type, payload_text,
              headers, ordering_key, status)
            VALUES (0, CAST('00000000-0000-0000-0000-0000000000%s' AS UUID), '%s', 'text/plain', 'x',
              '{}', 'k', '%s')
            """
                .formatted(10 + i, i < 20 ? "d" : "e", i % 20 == 0 ? "DEAD" : "HELD"));
      }
      assertThat(
              new DeadLetterViews(config.tables(), StoredErrors.CLEAR, 10)
                  .count(connection, DeadLetterFilter.all())
                  .destinations())
          .extracting(ForDestination::destination, ForDestination::followers)
          .containsExactly(tuple("d", 10L), tuple("e", 9L));
    }
  }

  @Test
  void aPlanOfLettersSaysOfWhichDestinationsItsNumbersAreTheLeast() {
    Instant now = Instant.EPOCH;
    long most = DeadLetterPlan.MOST_FOLLOWERS;
    ForDestination all = new ForDestination("d", 1, 1, most - 1, 0, now, now);
    ForDestination some = new ForDestination("e", 1, 1, most, 0, now, now);
    assertThat(all.estimated()).isFalse();
    assertThat(some.estimated()).isTrue();
    DeadLetterFilter filter = DeadLetterFilter.all();
    assertThat(new DeadLetterPlan(PlanToken.NONE, filter, now, 1, List.of(all, all)).estimated())
        .isFalse();
    assertThat(new DeadLetterPlan(PlanToken.NONE, filter, now, 1, List.of(all, some)).estimated())
        .isTrue();
  }
}
