package io.postbox.outbox.store;

import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;

/** From a row of a result to what it stands for. */
final class Rows {
  private Rows() {}

  static StoredMessage message(ResultSet row) throws SQLException {
    Envelope envelope =
        new Envelope(
            row.getObject("id", UUID.class),
            row.getString("destination"),
            row.getString("ordering_key"),
            row.getString("aggregate_type"),
            row.getString("aggregate_id"),
            row.getString("event_type"),
            row.getString("schema_version"),
            row.getString("content_type"),
            row.getString("payload_text"),
            row.getBytes("payload_bytes"),
            row.getString("headers"));
    OffsetDateTime created = row.getObject("created_at", OffsetDateTime.class);
    OffsetDateTime read = row.getObject("read_at", OffsetDateTime.class);
    return new StoredMessage(
        row.getLong("seq"),
        envelope,
        row.getInt("attempts"),
        created.toInstant(),
        Duration.between(created, read),
        row.getObject("head_id", UUID.class));
  }
}
