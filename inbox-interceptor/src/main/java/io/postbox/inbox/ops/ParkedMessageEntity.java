package io.postbox.inbox.ops;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** A parked message as the operations queries see it: never its payload. */
@Entity(name = "ParkedMessage")
@Table(name = "inbox_parked")
class ParkedMessageEntity {
  @Id
  @Column(name = "id")
  long id;

  @Column(name = "consumer")
  String consumer = "";

  @Column(name = "message_id")
  String messageId = "";

  @Column(name = "reason")
  String reason = "";

  @Column(name = "error")
  String error = "";

  @Column(name = "sealed_error")
  @Nullable String sealedError;

  @Column(name = "signature")
  String signature = "";

  @Column(name = "attempts")
  int attempts;

  @Column(name = "source")
  @Nullable String source;

  @Column(name = "event_type")
  @Nullable String eventType;

  @Column(name = "aggregate_type")
  @Nullable String aggregateType;

  @Column(name = "aggregate_id")
  @Nullable String aggregateId;

  @Column(name = "aggregate_version")
  @Nullable Long aggregateVersion;

  @Column(name = "fingerprint")
  byte[] fingerprint = {};

  @Column(name = "fingerprint_version")
  int fingerprintVersion;

  @Column(name = "destination")
  @Nullable String destination;

  @Column(name = "reply_to")
  @Nullable String replyTo;

  @Column(name = "body_type")
  String bodyType = "";

  @Column(name = "encrypted")
  boolean encrypted;

  @Column(name = "parked_at")
  @Nullable OffsetDateTime keptAt;
}
