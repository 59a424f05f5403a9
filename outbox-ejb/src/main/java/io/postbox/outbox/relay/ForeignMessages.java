package io.postbox.outbox.relay;

import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The messages that this node has met and that wait for another one: for a payload loader, a cipher
 * or a key that this node lacks, as while nodes are upgraded one by one. They are neither changed
 * nor counted, and are logged once. Thread-safe.
 */
final class ForeignMessages {
  /** A lack that was not met for so long is forgotten. */
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Map<String, Instant> lastMet = new TreeMap<>();

  ForeignMessages(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Notes messages that a pass has left out.
   *
   * @param lane theirs
   * @param lacks names what this node lacks for a message
   */
  void waiting(
      Lane lane, List<StoredMessage> messages, Function<StoredMessage, Optional<String>> lacks) {
    for (StoredMessage message : messages) {
      lacks
          .apply(message)
          .filter(this::isNews)
          .ifPresent(
              reason ->
                  WatchLog.waitsForAnotherNode(
                      lane.destination(), message.envelope().id(), reason));
    }
  }

  private synchronized boolean isNews(String reason) {
    forgetOld();
    return lastMet.put(reason, clock.instant()) == null;
  }

  /** Names what this node lacks for messages that it has met a moment ago. */
  synchronized List<String> lacking() {
    forgetOld();
    return List.copyOf(lastMet.keySet());
  }

  private void forgetOld() {
    Instant before = clock.instant().minus(REMEMBERED);
    lastMet.values().removeIf(before::isAfter);
  }
}
