package io.postbox.outbox.payload;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.StoredMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A batch with its payloads resolved as far as possible. A message that is in none of these was not
 * tried.
 *
 * @param ready their payload is there as it is sent
 * @param firstHashes by place in the order: the SHA-256 of payloads that were loaded for the first
 *     time; no message may be sent before these are committed
 * @param altered their payload is not the one that was loaded first, and how that shows
 * @param failed could not be resolved, and why
 * @param suspects were not resolved in time, and why: the message or the source may be at fault
 * @param fault why no payload can be resolved at the moment, if so
 */
public record ResolvedBatch(
    List<StoredMessage> ready,
    Map<Long, byte[]> firstHashes,
    Map<StoredMessage, RecordedError> altered,
    Map<StoredMessage, RecordedError> failed,
    Map<StoredMessage, RecordedError> suspects,
    Optional<String> fault) {

  /** Keeps copies. */
  public ResolvedBatch {
    ready = List.copyOf(ready);
    firstHashes = Map.copyOf(firstHashes);
    altered = Map.copyOf(altered);
    failed = Map.copyOf(failed);
    suspects = Map.copyOf(suspects);
  }

  /** There was nothing to resolve. */
  public static ResolvedBatch unchanged(List<StoredMessage> messages) {
    return new ResolvedBatch(messages, Map.of(), Map.of(), Map.of(), Map.of(), Optional.empty());
  }

  /** No payload can be resolved. */
  static ResolvedBatch fault(String why) {
    return new ResolvedBatch(List.of(), Map.of(), Map.of(), Map.of(), Map.of(), Optional.of(why));
  }

  /** This one was not resolved in time, and nothing is known of the others. */
  public static ResolvedBatch suspect(StoredMessage message, String why) {
    return new ResolvedBatch(
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(message, RecordedError.of(why)),
        Optional.empty());
  }

  /** Whether all that was tried is ready. */
  public boolean isClean() {
    return firstHashes.isEmpty()
        && altered.isEmpty()
        && failed.isEmpty()
        && suspects.isEmpty()
        && fault.isEmpty();
  }
}
