package io.postbox.outbox.ops;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of the outbox as the operations queries see it: never its payload. */
@Entity(name = "OutboxMessage")
@Table(name = "outbox_message")
@IdClass(OutboxMessageEntity.Key.class)
class OutboxMessageEntity {
  @Id
  @Column(name = "partition_no")
  int partition;

  @Id
  @Column(name = "seq")
  long seq;

  @Column(name = "id")
  @Nullable UUID id;

  @Column(name = "destination")
  String destination = "";

  @Column(name = "ordering_key")
  @Nullable String orderingKey;

  @Column(name = "aggregate_type")
  @Nullable String aggregateType;

  @Column(name = "aggregate_id")
  @Nullable String aggregateId;

  @Column(name = "event_type")
  @Nullable String eventType;

  @Column(name = "schema_version")
  @Nullable String schemaVersion;

  @Column(name = "content_type")
  String contentType = "";

  @Column(name = "trace_parent")
  @Nullable String traceParent;

  @Column(name = "status")
  String status = "";

  @Column(name = "attempts")
  int attempts;

  @Column(name = "expires_at")
  @Nullable OffsetDateTime expiresAt;

  @Column(name = "due_at")
  @Nullable OffsetDateTime dueAt;

  @Column(name = "created_at")
  @Nullable OffsetDateTime createdAt;

  @Column(name = "last_error")
  @Nullable String lastError;

  @Column(name = "signature")
  @Nullable String signature;

  /** The primary key. */
  static class Key implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    int partition;
    long seq;

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.partition == partition && key.seq == seq;
    }

    @Override
    public int hashCode() {
      return Objects.hash(partition, seq);
    }
  }
}
