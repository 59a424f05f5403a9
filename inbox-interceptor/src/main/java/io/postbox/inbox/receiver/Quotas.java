package io.postbox.inbox.receiver;

import io.postbox.inbox.config.ConsumerConfig.Quota;
import io.postbox.inbox.config.ConsumerConfig.WhenFull;
import io.postbox.inbox.config.InboxConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The quotas of each consumer's kept messages. One node counts these every few seconds for all
 * nodes; this node adds the ones that it keeps meanwhile. So a quota is exceeded only by the
 * messages that other nodes keep between two counts. Thread-safe.
 */
public final class Quotas {
  /** Rows without a body are small, but need a limit too: this many times the quota of messages. */
  private static final int ROWS_WITHOUT_BODY = 10;

  private static final int TENTHS = 10;

  private static final int FREE_AGAIN = 9;

  private final InboxConfig config;
  private final KnownAggregates aggregates;
  private Map<String, Used> counted = Map.of();
  private Map<String, Used> before = new HashMap<>();
  private Map<String, Used> since = new HashMap<>();
  private final Set<String> full = new TreeSet<>();

  /** How much of a message may be kept. */
  enum Room {
    /** The whole message. */
    ALL,
    /** Headers and properties, without the body. */
    METADATA,
    /** Nothing: it has to stay in its queue. */
    NONE
  }

  /**
   * Messages of one consumer in the inbox's tables.
   *
   * @param messages how many
   * @param bytes their total {@link io.postbox.inbox.message.Content#size}
   */
  public record Used(long messages, long bytes) {
    static final Used NOTHING = new Used(0, 0);

    /** Both together. */
    public Used plus(Used other) {
      return new Used(messages + other.messages, bytes + other.bytes);
    }

    Used minus(Used other) {
      return new Used(messages - other.messages, bytes - other.bytes);
    }

    /**
     * Whether this reaches a limit, of messages or of bytes.
     *
     * @param wasFull whether it has reached it before: then it has until a tenth is free, because
     *     it would be reported with every message otherwise
     */
    boolean reaches(long mostMessages, long mostBytes, boolean wasFull) {
      int tenths = wasFull ? FREE_AGAIN : TENTHS;
      return messages * TENTHS >= mostMessages * tenths || bytes * TENTHS >= mostBytes * tenths;
    }
  }

  /**
   * @param config how much each consumer may keep
   */
  public Quotas(InboxConfig config) {
    this.config = config;
    aggregates = new KnownAggregates(config);
  }

  /** How many aggregates each consumer knows. */
  public KnownAggregates aggregates() {
    return aggregates;
  }

  /**
   * Takes over a count. The messages that this node has kept since the count before the last are
   * added, because it is unknown which of them were counted.
   */
  public synchronized void counted(Map<String, Used> found) {
    counted = Map.copyOf(found);
    before = since;
    since = new HashMap<>();
    Set<String> candidates = new TreeSet<>(full);
    candidates.addAll(counted.keySet());
    for (String consumer : candidates) {
      Quota quota = config.of(consumer).quota();
      if (used(consumer).reaches(quota.messages(), quota.bytes(), full.contains(consumer))) {
        full.add(consumer);
      } else {
        full.remove(consumer);
      }
    }
  }

  /**
   * Whether a consumer has reached its quota of kept messages, as of the last count, or its quota
   * of aggregates.
   */
  public synchronized boolean isFull(String consumer) {
    return full.contains(consumer) || !aggregates.haveRoom(consumer);
  }

  /** The consumers whose endpoints are paused until there is room again. */
  public synchronized Set<String> toBePaused() {
    Set<String> paused = new TreeSet<>(full);
    paused.removeIf(consumer -> config.of(consumer).quota().whenFull() != WhenFull.PAUSE);
    return paused;
  }

  /** How much of a message of that size may be kept. */
  synchronized Room roomFor(String consumer, long bytes) {
    Quota quota = config.of(consumer).quota();
    Used used = used(consumer);
    if (!full.contains(consumer)
        && used.messages() < quota.messages()
        && used.bytes() + bytes <= quota.bytes()) {
      return Room.ALL;
    }
    return quota.whenFull() == WhenFull.METADATA
            && used.messages() < (long) quota.messages() * ROWS_WITHOUT_BODY
        ? Room.METADATA
        : Room.NONE;
  }

  /** Counts a message that this node has kept. */
  synchronized void kept(String consumer, long bytes) {
    since.merge(consumer, new Used(1, bytes), Used::plus);
  }

  private Used used(String consumer) {
    return counted
        .getOrDefault(consumer, Used.NOTHING)
        .plus(before.getOrDefault(consumer, Used.NOTHING))
        .plus(since.getOrDefault(consumer, Used.NOTHING));
  }
}
