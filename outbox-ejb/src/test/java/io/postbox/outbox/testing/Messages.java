package io.postbox.outbox.testing;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes rows without a database. */
public final class Messages {
  private Messages() {}

  /** One that was never tried. */
  public static StoredMessage message(long seq, String destination, @Nullable String key) {
    return message(seq, destination, key, 0, null);
  }

  /** One that has failed so often, or waits behind another. */
  public static StoredMessage message(
      long seq, String destination, @Nullable String key, int attempts, @Nullable UUID heldBy) {
    Envelope envelope = envelope(id(seq), destination, key);
    return new StoredMessage(seq, envelope, attempts, Instant.EPOCH, Duration.ZERO, null, heldBy);
  }

  /** The envelope of a message that says nothing. */
  public static Envelope envelope(UUID id, String destination, @Nullable String key) {
    return envelope(id, destination, key, new Body.Text("x"), "{}", null);
  }

  /** The envelope of a message that says only this. */
  public static Envelope envelope(
      UUID id,
      String destination,
      @Nullable String key,
      Body body,
      String headers,
      @Nullable String traceParent) {
    return new Envelope(
        id,
        destination,
        key,
        null,
        null,
        null,
        null,
        null,
        "text/plain",
        body,
        headers,
        traceParent);
  }

  /** The id of a message made here. */
  public static UUID id(long seq) {
    return new UUID(0, seq);
  }

  /** Messages 1 to n without a key. */
  public static List<StoredMessage> unordered(int n, String destination) {
    return IntStream.rangeClosed(1, n).mapToObj(seq -> message(seq, destination, null)).toList();
  }
}
