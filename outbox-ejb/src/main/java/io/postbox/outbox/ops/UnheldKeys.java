package io.postbox.outbox.ops;

import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ordering keys of dead letters to one destination that no message holds.
 *
 * @param destination the logical name
 * @param firstByKey the first dead letter of each key, by key
 */
record UnheldKeys(String destination, Map<String, DeadLetterRow> firstByKey) {

  /**
   * Finds these keys.
   *
   * @param letters in order
   */
  static Collection<UnheldKeys> of(List<DeadLetterRow> letters) {
    Map<String, UnheldKeys> byDestination = new LinkedHashMap<>();
    for (DeadLetterRow letter : letters) {
      if (letter.key().isPresent() && letter.heldBy().isEmpty()) {
        byDestination
            .computeIfAbsent(
                letter.destination(), name -> new UnheldKeys(name, new LinkedHashMap<>()))
            .firstByKey()
            .putIfAbsent(letter.key().get(), letter);
      }
    }
    return byDestination.values();
  }

  /** The last sequence number of these letters. */
  long last() {
    return firstByKey.values().stream().mapToLong(DeadLetterRow::seq).max().orElse(0);
  }

  /**
   * The messages that must hold the keys: the first of each key, dead or not.
   *
   * @param waiting pending messages of the keys
   */
  List<DeadLetterRow> heads(List<DeadLetterRow> waiting) {
    Map<String, DeadLetterRow> heads = new HashMap<>(firstByKey);
    for (DeadLetterRow alive : waiting) {
      heads.merge(
          alive.key().orElseThrow(), alive, (one, other) -> one.seq() < other.seq() ? one : other);
    }
    return new ArrayList<>(heads.values());
  }
}
