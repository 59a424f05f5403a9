package io.postbox.inbox.ops;

import io.postbox.common.time.UuidV7;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import io.postbox.inbox.message.DerivedUuid;
import io.postbox.inbox.store.KeptRows.Unreleased;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The ids under which quarantined messages are released. One message can be kept aside in several
 * rows, one after the other or beside each other: delivered again after a crash, or with the copies
 * that other consumers of it have sent. All of them get one id, by which the inbox skips the
 * second. Only where nothing tells what a row is of, it has one of its own. Thread-safe.
 */
final class ReleasedIds {
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final InboxConfig config;
  private final Function<String, Optional<String>> firstIdOf;
  private final InstantSource clock;
  private final UuidV7 ownIds;

  /**
   * @param config whose messages they are, and how ids are remembered
   * @param firstIdOf finds, in a message's properties, the id that the broker gave it at first
   * @param clock this node's
   */
  ReleasedIds(
      InboxConfig config, Function<String, Optional<String>> firstIdOf, InstantSource clock) {
    this.config = config;
    this.firstIdOf = firstIdOf;
    this.clock = clock;
    ownIds = new UuidV7(clock);
  }

  /** That of a row. */
  UUID of(Unreleased row) {
    return origin(row)
        .map(
            origin ->
                DerivedUuid.of(
                    config.service(),
                    row.consumer(),
                    origin,
                    row.fingerprint().version() + " " + row.fingerprint().sha256()))
        .map(
            derived ->
                config.tablePartitioning() == TablePartitioning.DAILY ? ofToday(derived) : derived)
        .orElseGet(ownIds::next);
  }

  private Optional<String> origin(Unreleased row) {
    return row.messageId() != null
        ? Optional.of("id " + row.messageId())
        : firstIdOf.apply(row.properties()).map(first -> "first " + first);
  }

  /** A table for one day takes ids that tell their time: here midnight, for all of that day. */
  private UUID ofToday(UUID derived) {
    long midnight = clock.millis() - Math.floorMod(clock.millis(), DAY);
    return new UUID(
        midnight << 16 | 0x7000 | (derived.getMostSignificantBits() & 0xFFF),
        derived.getLeastSignificantBits());
  }
}
