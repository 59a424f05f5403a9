package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How much a message writes to PostgreSQL's log on its whole way: enqueue, poll, claim, read,
 * completion and both commits. A database that does nothing else is bounded by that.
 */
class LogVolumeTest {
  private static final int MESSAGES = 200;
  private static final int PAYLOAD = 2_048;

  /** After a checkpoint, the first change of a page logs all of it; the median has none of that. */
  private static final int ROUNDS = 5;

  /** Of the one session that does it all, wherever other sessions are at work. */
  private static final String LOGGED =
      """
      SELECT wal.wal_bytes, (SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend')
      FROM pg_stat_get_backend_wal(pg_backend_pid()) wal
      """;

  private final SplittableRandom random = new SplittableRandom(17);

  @ParameterizedTest
  @CsvSource({
    "DELETE, true, 1.55",
    "DELETE, false, 1.55",
    "KEEP, true, 1.7",
    "ARCHIVE, true, 2.85" // which writes the payload once more
  })
  void aMessageLogsLessThanThreeBytesForEachByteOfItsPayload(
      AfterSending afterSending, boolean octets, double atMost) throws Exception {
    RelayFixture fixture =
        new RelayFixture(
            TestDatabase.POSTGRESQL, TestConfig.DEFAULT.withAfterSending(afterSending));
    List<Long> logged = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      List<OutboxMessage> messages =
          IntStream.range(0, MESSAGES).mapToObj(i -> message("key " + i / 10, octets)).toList();
      long before = logged(fixture);
      fixture.enqueue(messages);
      fixture.drain();
      logged.add(logged(fixture) - before);
      assertThat(fixture.broker.received()).hasSize(round * MESSAGES);
    }
    double perByte =
        (double) logged.stream().sorted().toList().get(ROUNDS / 2) / MESSAGES / PAYLOAD;
    assertThat(perByte).as("bytes for each byte; rounds: %s", logged).isBetween(1.0, atMost);
  }

  /** A message that no compression makes smaller. */
  private OutboxMessage message(String key, boolean octets) {
    byte[] payload = new byte[octets ? PAYLOAD : PAYLOAD * 3 / 4];
    random.nextBytes(payload);
    OutboxMessage message = OutboxMessage.to("d").orderedBy(key);
    return octets
        ? message.bytes(payload)
        : message.text(Base64.getEncoder().encodeToString(payload));
  }

  private static long logged(RelayFixture fixture) throws SQLException {
    try (Connection connection = fixture.counting.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_stat_force_next_flush()");
      try (ResultSet row = statement.executeQuery(LOGGED)) {
        row.next();
        assertThat(row.getInt(2)).as("sessions of which some would not be counted").isOne();
        return row.getLong(1);
      }
    }
  }
}
