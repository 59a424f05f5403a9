package io.postbox.outbox.store;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Maps a row of a result to its message. */
final class MessageRowMapper {
  private MessageRowMapper() {}

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
            body(row),
            row.getString("headers"),
            row.getString("trace_parent"));
    OffsetDateTime created = row.getObject("created_at", OffsetDateTime.class);
    OffsetDateTime read = row.getObject("read_at", OffsetDateTime.class);
    OffsetDateTime expires = row.getObject("expires_at", OffsetDateTime.class);
    return new StoredMessage(
        row.getLong("seq"),
        envelope,
        row.getInt("attempts"),
        created.toInstant(),
        Duration.between(created, read),
        expires == null ? null : Duration.between(read, expires),
        row.getObject("head_id", UUID.class),
        row.getString("target"));
  }

  private static Body body(ResultSet row) throws SQLException {
    String text = row.getString("payload_text");
    if (text != null) {
      return new Body.Text(text);
    }
    String table = row.getString("reference_table");
    if (table != null) {
      return new Body.Reference(
          table, row.getString("reference_id"), row.getBytes("payload_sha256"));
    }
    String key = row.getString("payload_key");
    byte[] bytes = row.getBytes("payload_bytes");
    return key == null ? new Body.Bytes(bytes) : new Body.Encrypted(bytes, key);
  }
}
