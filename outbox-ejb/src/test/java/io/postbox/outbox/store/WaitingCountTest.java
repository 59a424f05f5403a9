package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.PlanToken;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
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
}
