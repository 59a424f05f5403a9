package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a batch consists of: a pure function of it.
 *
 * @param followers have to wait because their key is held
 * @param expired came too late to be sent; not what has the key of something sendable before it,
 *     which may fail and hold that key
 * @param sendable may be tried now; not what has the key of something expired before it, which may
 *     hold that key from now on
 */
record Reading(
    List<StoredMessage> followers, List<StoredMessage> expired, List<StoredMessage> sendable) {

  static Reading of(List<StoredMessage> batch) {
    List<StoredMessage> followers = new ArrayList<>();
    List<StoredMessage> expired = new ArrayList<>();
    List<StoredMessage> sendable = new ArrayList<>();
    Set<String> tried = new HashSet<>();
    Set<String> waiting = new HashSet<>(); // the next read sees what became of the one before
    for (StoredMessage message : batch) {
      String key = message.envelope().orderingKey();
      if (message.isFollower()) {
        followers.add(message);
      } else if (key == null) {
        (message.isExpired() ? expired : sendable).add(message);
      } else if (!waiting.contains(key) && !message.isExpired()) {
        sendable.add(message);
        tried.add(key);
      } else if (waiting.add(key) && !tried.contains(key)) {
        expired.add(message);
      }
    }
    return new Reading(followers, expired, sendable);
  }
}
