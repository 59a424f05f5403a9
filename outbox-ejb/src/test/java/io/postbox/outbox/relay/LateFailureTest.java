package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Batches that fail when more than half of the time limit is over, without a hint whose fault it
 * is: there is no time left to find that out in halves. In virtual time.
 */
class LateFailureTest {
  private static final int MESSAGES = 20;

  private final List<Integer> sizes = new ArrayList<>();

  private static RelayFixture fixture(TestDatabase database) throws SQLException {
    RelayFixture fixture =
        new RelayFixture(
            database, TestConfig.DEFAULT.withPartitions(1).withFailures(10, OnDeadLetter.HOLD));
    for (int i = 0; i < MESSAGES; i++) {
      fixture.enqueue(keyed("d", "k" + i));
    }
    return fixture;
  }

  /** Batches of more than so many messages fail after 16 of 30 seconds. */
  private Relay relay(RelayFixture fixture, int mostThatWork) {
    Transport transport =
        (lane, messages, wanted) -> {
          sizes.add(messages.size());
          if (messages.size() > mostThatWork) {
            fixture.clock.pass(Duration.ofSeconds(16));
            throw SendFailure.unknown("commit failed", new Exception("rolled back by the server"));
          }
          fixture.broker.send(messages);
        };
    return fixture.relay(transport, new DirectExecutor(), fixture.clock);
  }

  private static void run(RelayFixture fixture, Relay relay) {
    Instant end = fixture.clock.instant().plus(Duration.ofMinutes(5));
    while (fixture.clock.instant().isBefore(end)) {
      fixture.clock.pass(relay.tick());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theDestinationWaitsAndTheLogSaysWhy(TestDatabase database) throws Exception {
    RelayFixture fixture = fixture(database);
    Relay relay = relay(fixture, 0);
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      run(fixture, relay);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0004 ")
          .contains("commit failed");
    }
    assertThat(relay.status().circuits()).hasSize(1);
    assertThat(sizes).startsWith(MESSAGES, 1).hasSizeLessThan(5 * 60 / 16 + 1);
    assertThat(fixture.rows.messages())
        .as("no message is to blame")
        .hasSize(MESSAGES)
        .extracting(Row::attempts)
        .containsOnly(0);
  }

  @ParameterizedTest
  @EnumSource
  void batchesBecomeSmallerUntilTheyWork(TestDatabase database) throws Exception {
    RelayFixture fixture = fixture(database);
    run(fixture, relay(fixture, 12));

    assertThat(fixture.rows.messages()).isEmpty();
    assertThat(fixture.broker.receivedSeqs()).hasSize(MESSAGES).doesNotHaveDuplicates();
  }
}
