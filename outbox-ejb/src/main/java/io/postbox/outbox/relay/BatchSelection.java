package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Sorts a batch into messages to send, to hold and to expire: a pure function of it.
 *
 * @param batch as it was read
 * @param followers messages to hold because their key is held, expired ones too: as dead letters
 *     they would no longer hold the key once the message in front of them is gone
 * @param expired messages whose time to live is over, all of a key together; without those behind a
 *     sendable message of the same key, which may fail and hold that key
 * @param sendable messages to send now; without those behind an expired message of the same key,
 *     which may hold that key from now on, or behind one that waits for another node
 * @param foreign messages that wait for a node that has what it takes to send them
 */
record BatchSelection(
    Batch batch,
    List<StoredMessage> followers,
    List<StoredMessage> expired,
    List<StoredMessage> sendable,
    List<StoredMessage> foreign) {

  /**
   * @param isForeign whether this node lacks what it takes to send a message
   */
  static BatchSelection of(Batch batch, Predicate<StoredMessage> isForeign) {
    List<StoredMessage> foreign = new ArrayList<>();
    List<StoredMessage> followers = new ArrayList<>();
    List<StoredMessage> expired = new ArrayList<>();
    List<StoredMessage> sendable = new ArrayList<>();
    Set<String> tried = new HashSet<>();
    Set<String> waiting = new HashSet<>(); // the next read sees the outcome of the message in front
    for (StoredMessage message : batch.messages()) {
      String key = message.envelope().orderingKey();
      boolean isBehindTried = key != null && tried.contains(key);
      if (message.isFollower()) {
        followers.add(message);
      } else if (message.isExpired() && !isBehindTried) {
        expired.add(message);
        if (key != null) {
          waiting.add(key);
        }
      } else if (isForeign.test(message)) {
        foreign.add(message);
        if (key != null) {
          waiting.add(key);
          tried.add(key);
        }
      } else if (key == null) {
        sendable.add(message);
      } else if (message.isExpired()) {
        waiting.add(key);
      } else if (!waiting.contains(key)) {
        sendable.add(message);
        tried.add(key);
      }
    }
    return new BatchSelection(batch, followers, expired, sendable, foreign);
  }
}
