package io.postbox.outbox.relay;

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
final class Messages {
  private Messages() {}

  static StoredMessage message(long seq, String destination, @Nullable String key) {
    return message(seq, destination, key, 0, null);
  }

  static StoredMessage message(
      long seq, String destination, @Nullable String key, int attempts, @Nullable UUID heldBy) {
    Envelope envelope =
        new Envelope(
            id(seq),
            destination,
            key,
            null,
            null,
            null,
            null,
            "text/plain",
            new Body.Text("x"),
            "{}",
            null);
    return new StoredMessage(seq, envelope, attempts, Instant.EPOCH, Duration.ZERO, null, heldBy);
  }

  static UUID id(long seq) {
    return new UUID(0, seq);
  }

  /** Messages 1 to n without a key. */
  static List<StoredMessage> unordered(int n, String destination) {
    return IntStream.rangeClosed(1, n).mapToObj(seq -> message(seq, destination, null)).toList();
  }
}
