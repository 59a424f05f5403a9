package io.postbox.inbox.ops;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** A quarantined delivery as the operations queries see it: never its payload. */
@Entity(name = "QuarantinedMessage")
@Table(name = "inbox_quarantine")
class QuarantinedMessageEntity {
  @Id
  @Column(name = "id")
  long id;

  @Column(name = "consumer")
  String consumer = "";

  @Column(name = "message_id")
  @Nullable String messageId;

  @Column(name = "reason")
  String reason = "";

  @Column(name = "fingerprint")
  byte[] fingerprint = {};

  @Column(name = "stored_fingerprint")
  byte @Nullable [] storedFingerprint;

  @Column(name = "destination")
  @Nullable String destination;

  @Column(name = "reply_to")
  @Nullable String replyTo;

  @Column(name = "body_type")
  String bodyType = "";

  @Column(name = "encrypted")
  boolean encrypted;

  @Column(name = "released_as")
  @Nullable String releasedAs;

  @Column(name = "received_at")
  @Nullable OffsetDateTime keptAt;
}
