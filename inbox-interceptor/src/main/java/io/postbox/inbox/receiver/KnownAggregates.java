package io.postbox.inbox.receiver;

import io.postbox.inbox.config.InboxConfig;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many aggregates each consumer with version order knows, and whether it may know another. No
 * aggregate may be forgotten, because its next version would then look like one that is too early.
 * One node counts now and then for all nodes; this node adds those that it has met since. So the
 * quota is exceeded at most by those that other nodes meet between two counts. Thread-safe.
 */
public final class KnownAggregates {
  private final InboxConfig config;
  private final Map<String, Known> known = new HashMap<>();

  /**
   * The aggregates of one consumer.
   *
   * @param countedAt when the count began; {@code null} before the first one
   * @param before how many this node met between the last two counts, because it is unknown which
   *     of them were counted
   * @param since how many this node met since then
   */
  private record Known(long counted, @Nullable Instant countedAt, long before, long since) {
    private static final Known NOTHING = new Known(0, null, 0, 0);

    private long all() {
      return counted + before + since;
    }
  }

  KnownAggregates(InboxConfig config) {
    this.config = config;
  }

  /**
   * Takes over a count, which may be the last one again.
   *
   * @param countedAt when it began, by the database's clock
   */
  public synchronized void counted(String consumer, long aggregates, Instant countedAt) {
    Known last = of(consumer);
    if (!countedAt.equals(last.countedAt())) {
      known.put(consumer, new Known(aggregates, countedAt, last.since(), 0));
    }
  }

  /** Whether a consumer may get to know another aggregate. */
  synchronized boolean haveRoom(String consumer) {
    return of(consumer).all() < config.of(consumer).quota().aggregates();
  }

  /** Notes that a consumer knows another one, if its transaction commits. */
  synchronized void added(String consumer) {
    Known last = of(consumer);
    known.put(
        consumer, new Known(last.counted(), last.countedAt(), last.before(), last.since() + 1));
  }

  private Known of(String consumer) {
    return known.getOrDefault(consumer, Known.NOTHING);
  }
}
