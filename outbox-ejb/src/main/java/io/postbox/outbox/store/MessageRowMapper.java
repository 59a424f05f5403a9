package io.postbox.outbox.store;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Maps the rows of a result to their messages. */
final class MessageRowMapper {
  private final ResultSet row;
  private final int seq;
  private final int id;
  private final int destination;
  private final int orderingKey;
  private final int aggregateType;
  private final int aggregateId;
  private final int dataSubject;
  private final int eventType;
  private final int schemaVersion;
  private final int contentType;
  private final int payloadText;
  private final int payloadBytes;
  private final int referenceTable;
  private final int referenceId;
  private final int payloadSha256;
  private final int payloadKey;
  private final int headers;
  private final int traceParent;
  private final int attempts;
  private final int createdAt;
  private final int readAt;
  private final int expiresAt;
  private final int headId;
  private final int target;

  /** Looks the columns up by name, once for all rows. */
  MessageRowMapper(ResultSet row) throws SQLException {
    this.row = row;
    seq = row.findColumn("seq");
    id = row.findColumn("id");
    destination = row.findColumn("destination");
    orderingKey = row.findColumn("ordering_key");
    aggregateType = row.findColumn("aggregate_type");
    aggregateId = row.findColumn("aggregate_id");
    dataSubject = row.findColumn("data_subject");
    eventType = row.findColumn("event_type");
    schemaVersion = row.findColumn("schema_version");
    contentType = row.findColumn("content_type");
    payloadText = row.findColumn("payload_text");
    payloadBytes = row.findColumn("payload_bytes");
    referenceTable = row.findColumn("reference_table");
    referenceId = row.findColumn("reference_id");
    payloadSha256 = row.findColumn("payload_sha256");
    payloadKey = row.findColumn("payload_key");
    headers = row.findColumn("headers");
    traceParent = row.findColumn("trace_parent");
    attempts = row.findColumn("attempts");
    createdAt = row.findColumn("created_at");
    readAt = row.findColumn("read_at");
    expiresAt = row.findColumn("expires_at");
    headId = row.findColumn("head_id");
    target = row.findColumn("target");
  }

  /** The message of the result's current row. */
  StoredMessage message() throws SQLException {
    Envelope envelope =
        new Envelope(
            row.getObject(id, UUID.class),
            row.getString(destination),
            row.getString(orderingKey),
            row.getString(aggregateType),
            row.getString(aggregateId),
            row.getString(dataSubject),
            row.getString(eventType),
            row.getString(schemaVersion),
            row.getString(contentType),
            body(),
            row.getString(headers),
            row.getString(traceParent));
    OffsetDateTime created = row.getObject(createdAt, OffsetDateTime.class);
    OffsetDateTime read = row.getObject(readAt, OffsetDateTime.class);
    OffsetDateTime expires = row.getObject(expiresAt, OffsetDateTime.class);
    return new StoredMessage(
        row.getLong(seq),
        envelope,
        row.getInt(attempts),
        created.toInstant(),
        Duration.between(created, read),
        expires == null ? null : Duration.between(read, expires),
        row.getObject(headId, UUID.class),
        row.getString(target));
  }

  private Body body() throws SQLException {
    String text = row.getString(payloadText);
    if (text != null) {
      return new Body.Text(text);
    }
    String table = row.getString(referenceTable);
    if (table != null) {
      return new Body.Reference(table, row.getString(referenceId), row.getBytes(payloadSha256));
    }
    String key = row.getString(payloadKey);
    byte[] bytes = row.getBytes(payloadBytes);
    return key == null ? new Body.Bytes(bytes) : new Body.Encrypted(bytes, key);
  }
}
