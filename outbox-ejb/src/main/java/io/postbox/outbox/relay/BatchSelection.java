package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sorts a batch into messages to send, to hold and to expire: a pure function of it.
 *
 * @param followers have to wait because their key is held, also where they came too late: dead,
 *     they would keep nothing back once the message in front has gone
 * @param expired came too late to be sent, all of a key together; not what has the key of something
 *     sendable before it, which may fail and hold that key
 * @param sendable may be tried now; not what has the key of something expired before it, which may
 *     hold that key from now on
 */
record BatchSelection(
    List<StoredMessage> followers, List<StoredMessage> expired, List<StoredMessage> sendable) {

  static BatchSelection of(List<StoredMessage> batch) {
    List<StoredMessage> followers = new ArrayList<>();
    List<StoredMessage> expired = new ArrayList<>();
    List<StoredMessage> sendable = new ArrayList<>();
    Set<String> tried = new HashSet<>();
    Set<String> waiting = new HashSet<>(); // the next read sees what became of the one before
    for (StoredMessage message : batch) {
      String key = message.envelope().orderingKey();
      boolean isBehindTried = key != null && tried.contains(key);
      if (message.isFollower()) {
        followers.add(message);
      } else if (message.isExpired() && !isBehindTried) {
        expired.add(message);
        if (key != null) {
          waiting.add(key);
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
    return new BatchSelection(followers, expired, sendable);
  }
}
