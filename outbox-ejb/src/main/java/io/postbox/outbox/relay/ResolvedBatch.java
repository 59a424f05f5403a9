package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of a batch before it could be sent. A message that is in none of these was not tried.
 *
 * @param ready their payload is there as it travels
 * @param firstHashes by place in the order: the SHA-256 of what was loaded now and never before;
 *     nothing is to be sent before these are committed
 * @param altered their payload is not the one that was loaded first, and how that shows
 * @param failed could not be opened, and why
 * @param suspects opening them took too long, and why nobody can say whose fault that is
 * @param fault why nothing can be opened at the moment, if so
 */
record ResolvedBatch(
    List<StoredMessage> ready,
    Map<Long, byte[]> firstHashes,
    Map<StoredMessage, String> altered,
    Map<StoredMessage, String> failed,
    Map<StoredMessage, String> suspects,
    Optional<String> fault) {

  ResolvedBatch {
    ready = List.copyOf(ready);
    firstHashes = Map.copyOf(firstHashes);
    altered = Map.copyOf(altered);
    failed = Map.copyOf(failed);
    suspects = Map.copyOf(suspects);
  }

  /** There was nothing to open. */
  static ResolvedBatch unchanged(List<StoredMessage> messages) {
    return new ResolvedBatch(messages, Map.of(), Map.of(), Map.of(), Map.of(), Optional.empty());
  }

  /** Nothing can be opened. */
  static ResolvedBatch fault(String why) {
    return new ResolvedBatch(List.of(), Map.of(), Map.of(), Map.of(), Map.of(), Optional.of(why));
  }

  /** Opening this one took too long, and nothing is known of the others. */
  static ResolvedBatch suspect(StoredMessage message, String why) {
    return new ResolvedBatch(
        List.of(), Map.of(), Map.of(), Map.of(), Map.of(message, why), Optional.empty());
  }

  /** Whether all that was tried is ready. */
  boolean isClean() {
    return firstHashes.isEmpty()
        && altered.isEmpty()
        && failed.isEmpty()
        && suspects.isEmpty()
        && fault.isEmpty();
  }

  /** What became of the batch if nothing of it is sent. */
  SendReport report() {
    return new SendReport(List.of(), failed, suspects, fault);
  }
}
