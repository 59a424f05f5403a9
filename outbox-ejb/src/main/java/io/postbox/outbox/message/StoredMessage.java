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
 * @param target the destination to which its own one is redirected, if it is
 */
public record StoredMessage(
    long seq,
    Envelope envelope,
    int attempts,
    Instant createdAt,
    Duration waited,
    @Nullable Duration expiresIn,
    @Nullable UUID heldBy,
    @Nullable String target) {

  /** One that is not redirected. */
  public StoredMessage(
      long seq,
      Envelope envelope,
      int attempts,
      Instant createdAt,
      Duration waited,
      @Nullable Duration expiresIn,
      @Nullable UUID heldBy) {
    this(seq, envelope, attempts, createdAt, waited, expiresIn, heldBy, null);
  }

  /** For where the message was enqueued, which says in which order it goes. */
  public String destination() {
    return envelope.destination();
  }

  /** The logical name of where it goes. */
  public String goesTo() {
    return target == null ? destination() : target;
  }

  /** The same with its payload in another form. */
  public StoredMessage carrying(String contentType, Body body) {
    return carrying(contentType, body, envelope.headers());
  }

  /** The same with its payload and its headers in another form. */
  public StoredMessage carrying(String contentType, Body body, String headers) {
    return new StoredMessage(
        seq,
        envelope.carrying(contentType, body, headers),
        attempts,
        createdAt,
        waited,
        expiresIn,
        heldBy,
        target);
  }

  /** Whether it came too late to be sent. */
  public boolean isExpired() {
    return expiresIn != null && (expiresIn.isNegative() || expiresIn.isZero());
  }

  /** Whether an earlier message of its key has failed, so that this one may not go. */
  public boolean isFollower() {
    return heldBy != null && !heldBy.equals(envelope.id());
  }

  /** Whether this is the message that holds its key. */
  public boolean isHead() {
    return heldBy != null && heldBy.equals(envelope.id());
  }
}
