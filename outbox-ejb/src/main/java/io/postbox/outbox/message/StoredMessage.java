package io.postbox.outbox.message;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row that is due.
 *
 * @param seq its place in the order
 * @param envelope the message
 * @param attempts how many attempts have failed
 * @param createdAt when it was enqueued
 * @param waited how long ago that was when it was read; both by the database's clock
 * @param expiresIn how long it was still to be sent when it was read; negative if no longer
 * @param heldBy the message at the head of its key, while the key is held
 */
public record StoredMessage(
    long seq,
    Envelope envelope,
    int attempts,
    Instant createdAt,
    Duration waited,
    @Nullable Duration expiresIn,
    @Nullable UUID heldBy) {

  /** Where the message goes, and in which order. */
  public String destination() {
    return envelope.destination();
  }

  /** The same with its payload in another form. */
  public StoredMessage carrying(String contentType, Body body) {
    return new StoredMessage(
        seq, envelope.carrying(contentType, body), attempts, createdAt, waited, expiresIn, heldBy);
  }

  /** Whether it came too late to be sent. */
  public boolean isExpired() {
    return expiresIn != null && (expiresIn.isNegative() || expiresIn.isZero());
  }

  /** Whether an earlier message of its key is in trouble, so that this one may not go. */
  public boolean isFollower() {
    return heldBy != null && !heldBy.equals(envelope.id());
  }

  /** Whether this is the message that holds its key. */
  public boolean isHead() {
    return heldBy != null && heldBy.equals(envelope.id());
  }
}
