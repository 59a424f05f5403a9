package io.postbox.benchmark;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a message that a floor and a peer send: the same as the relay.
 *
 * @param seq its place in the order
 * @param id its id
 * @param key its ordering key
 * @param text its payload
 * @param createdAt when it was enqueued
 */
record Row(long seq, UUID id, @Nullable String key, String text, Instant createdAt) {
  static final String EVENT_TYPE = "OrderPlaced";
  static final String CONTENT_TYPE = "text/plain";

  private static final String TEXT = "x".repeat(512);

  /** The message of this number, as {@link Table} fills it in with ten to a key. */
  static Row numbered(int number) {
    return new Row(
        number,
        new UUID(number, number * 0x9E3779B97F4A7C15L),
        "k" + number % Table.PARTITIONS + "-" + number / (10 * Table.PARTITIONS),
        TEXT,
        Instant.now());
  }

  /** The row of a result with the columns that the relay reads. */
  static Row of(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("seq"),
        row.getObject("id", UUID.class),
        row.getString("ordering_key"),
        row.getString("payload_text"),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }
}
