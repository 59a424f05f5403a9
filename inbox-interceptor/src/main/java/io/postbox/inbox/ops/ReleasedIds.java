package io.postbox.inbox.ops;

import io.postbox.common.time.UuidV7;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import io.postbox.inbox.message.DerivedUuid;
import io.postbox.inbox.message.Fingerprint;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ids under which quarantined messages are redriven. One message can be quarantined in several
 * rows, because it was redelivered after a crash, or because other consumers have resent copies of
 * it. All of its rows get the same id, so that the inbox skips the second one. A row whose origin
 * is unknown gets an id of its own. Thread-safe.
 */
final class ReleasedIds {
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final InboxConfig config;
  private final Function<String, Optional<String>> firstIdOf;
  private final InstantSource clock;
  private final UuidV7 ownIds;

  /**
   * @param config has the service, and how ids are stored
   * @param firstIdOf finds, in a message's properties, the id that the broker gave its first
   *     delivery
   * @param clock the node's clock
   */
  ReleasedIds(
      InboxConfig config, Function<String, Optional<String>> firstIdOf, InstantSource clock) {
    this.config = config;
    this.firstIdOf = firstIdOf;
    this.clock = clock;
    ownIds = new UuidV7(clock);
  }

  /**
   * The new id of a message.
   *
   * @param messageId its id, if it has a usable one
   * @param properties its headers and properties
   */
  UUID of(String consumer, @Nullable String messageId, Fingerprint fingerprint, String properties) {
    return origin(messageId, properties)
        .map(
            origin ->
                DerivedUuid.of(
                    config.service(),
                    consumer,
                    origin,
                    fingerprint.version() + " " + fingerprint.sha256()))
        .map(
            derived ->
                config.tablePartitioning() == TablePartitioning.DAILY ? ofToday(derived) : derived)
        .orElseGet(ownIds::next);
  }

  private Optional<String> origin(@Nullable String messageId, String properties) {
    return messageId != null
        ? Optional.of("id " + messageId)
        : firstIdOf.apply(properties).map(first -> "first " + first);
  }

  /** The derived id with a time, which a table for one day requires: here the day's midnight. */
  private UUID ofToday(UUID derived) {
    long midnight = clock.millis() - Math.floorMod(clock.millis(), DAY);
    return new UUID(
        midnight << 16 | 0x7000 | (derived.getMostSignificantBits() & 0xFFF),
        derived.getLeastSignificantBits());
  }
}
