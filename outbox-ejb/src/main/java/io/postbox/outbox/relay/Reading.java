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
 * @param expired came too late to be sent
 * @param sendable may be tried now; not what has the key of something expired before it, which may
 *     hold that key from now on
 */
record Reading(
    List<StoredMessage> followers, List<StoredMessage> expired, List<StoredMessage> sendable) {

  static Reading of(List<StoredMessage> batch) {
    List<StoredMessage> followers = new ArrayList<>();
    List<StoredMessage> expired = new ArrayList<>();
    List<StoredMessage> sendable = new ArrayList<>();
    Set<String> behindExpired = new HashSet<>();
    for (StoredMessage message : batch) {
      String key = message.envelope().orderingKey();
      boolean behind = key != null && behindExpired.contains(key);
      if (message.isFollower()) {
        followers.add(message);
      } else if (message.isExpired() && !behind) {
        expired.add(message);
        if (key != null) {
          behindExpired.add(key);
        }
      } else if (!behind) { // else the next read sees whether it has to wait
        sendable.add(message);
      }
    }
    return new Reading(followers, expired, sendable);
  }
}
