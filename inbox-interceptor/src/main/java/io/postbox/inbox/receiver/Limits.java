package io.postbox.inbox.receiver;

import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.ConsumerConfig.WhenFull;
import io.postbox.inbox.config.InboxConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How much of each {@link Kind} each consumer has in the inbox's tables, and whether that is as
 * much as it may have. One node counts now and then for all nodes; to that each node adds its own
 * changes since the count began. So a limit is exceeded only by what other nodes add between two
 * counts. Thread-safe.
 */
public final class Limits {
  /** How many marks are kept: with five a second, those of two minutes. */
  private static final int MARKS = 600;

  /** Rows without a body are small, but need a limit too: this many times the quota of messages. */
  private static final int ROWS_WITHOUT_BODY = 10;

  private static final int TENTHS = 10;
  private static final int FREE_AGAIN = 9;
  private static final long UNLIMITED = Long.MAX_VALUE / TENTHS;

  private final InboxConfig config;
  private final InstantSource clock;
  private final Map<Limit, Used> changes = new HashMap<>();
  private final Map<Limit, Used> countedLessChanges = new HashMap<>();
  private final Deque<Mark> marks = new ArrayDeque<>();
  private final Map<String, Mark> countsOfAggregates = new HashMap<>();
  private final Set<Limit> full = new HashSet<>();

  /** What is limited. */
  public enum Kind {
    /**
     * Quarantined and parked messages. A full one's endpoint is paused and further messages stay in
     * their queue, or these are kept without their bodies ({@link WhenFull}); until a tenth is
     * free.
     */
    KEPT,
    /**
     * Messages that wait for their retry. One that then fails for good is kept where it is, so they
     * share the limit of the kept ones. Beyond it, a message is retried in place.
     */
    DELAYED,
    /**
     * Messages that are too early in the order of versions. One may exceed the limit of bytes;
     * beyond it, a message is parked.
     */
    EARLY,
    /**
     * Captured messages that wait to be handled. A full one's endpoint is paused, and further
     * messages are slowed down or refused ({@link BackPressure}); until a tenth is free.
     */
    CAPTURED,
    /**
     * Known aggregates; they have no size. None may be forgotten, because its next version would
     * then look like one that is too early. Beyond the limit, the versions of new ones are parked.
     */
    AGGREGATES;

    private Used limit(ConsumerConfig of) {
      return switch (this) {
        case KEPT, DELAYED -> new Used(of.quota().messages(), of.quota().bytes());
        case EARLY ->
            of.order().map(each -> new Used(each.limit(), each.bytes())).orElse(Used.NOTHING);
        case CAPTURED -> new Used(of.capture().limit(), of.capture().bytes());
        case AGGREGATES -> new Used(of.quota().aggregates(), UNLIMITED);
      };
    }

    /** It would be reported, and its endpoint paused and resumed, with every message otherwise. */
    private boolean staysFullUntilATenthIsFree() {
      return this == KEPT || this == CAPTURED;
    }
  }

  /** The limit of one consumer and kind. */
  public record Limit(String consumer, Kind kind) {}

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

    private Used plus(Used other) {
      return new Used(messages + other.messages, bytes + other.bytes);
    }

    private Used minus(Used other) {
      return new Used(messages - other.messages, bytes - other.bytes);
    }

    private boolean reaches(Used limit, int tenths) {
      return messages * TENTHS >= limit.messages * tenths || bytes * TENTHS >= limit.bytes * tenths;
    }
  }

  /**
   * All changes by this node until a time.
   *
   * @param at by the node's clock; for a count of aggregates, by the database's
   */
  private record Mark(Instant at, Map<Limit, Used> changes) {}

  /**
   * @param config how much each consumer may have
   * @param clock the node's, which is never set back
   */
  public Limits(InboxConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    mark();
  }

  /**
   * Remembers the changes by this node until now. Call it now and then, and before each count. The
   * mark before the last count stays, because that count may be taken over again much later.
   */
  public synchronized void mark() {
    marks.addLast(new Mark(clock.instant(), Map.copyOf(changes)));
    if (marks.size() > MARKS) {
      Mark beforeLastCount = marks.removeFirst();
      marks.removeFirst();
      marks.addFirst(beforeLastCount);
    }
  }

  /**
   * Takes over a count of everything but aggregates, perhaps the last one again.
   *
   * @param found what there is, for the limits of which there is anything
   * @param age how long ago the count began
   */
  public synchronized void counted(Map<Limit, Used> found, Duration age) {
    Instant began = clock.instant().minus(age);
    while (marks.size() > 1 && isFollowedByOneBefore(began)) {
      marks.removeFirst();
    }
    Set<Limit> all = new HashSet<>(found.keySet());
    all.addAll(countedLessChanges.keySet());
    all.addAll(changes.keySet());
    all.removeIf(limit -> limit.kind() == Kind.AGGREGATES);
    for (Limit limit : all) {
      takeOver(limit, found.getOrDefault(limit, Used.NOTHING), marks.getFirst());
    }
  }

  private boolean isFollowedByOneBefore(Instant time) {
    return !marks.stream().skip(1).findFirst().orElseThrow().at().isAfter(time);
  }

  /**
   * Takes over a count of a consumer's aggregates, perhaps the last one again. This node's since
   * the count before it are added: they are noted before they are committed, so it is unknown which
   * of them were counted.
   *
   * @param countedAt when the count began, by the database's clock
   */
  public synchronized void counted(String consumer, long aggregates, Instant countedAt) {
    Limit limit = new Limit(consumer, Kind.AGGREGATES);
    Mark last = countsOfAggregates.getOrDefault(consumer, new Mark(Instant.MIN, Map.of()));
    if (!countedAt.equals(last.at())) {
      countsOfAggregates.put(consumer, new Mark(countedAt, Map.copyOf(changes)));
      takeOver(limit, new Used(aggregates, 0), last);
    }
  }

  private void takeOver(Limit limit, Used found, Mark before) {
    Used counted = before.changes().getOrDefault(limit, Used.NOTHING);
    countedLessChanges.put(limit, found.minus(counted));
    decide(limit);
  }

  /** Counts a message of this size, or an aggregate, that this node has stored. */
  synchronized void added(String consumer, Kind kind, long bytes) {
    change(new Limit(consumer, kind), new Used(1, bytes));
  }

  /** Counts a message of this size that is none of that kind any more, because of this node. */
  public synchronized void removed(String consumer, Kind kind, long bytes) {
    change(new Limit(consumer, kind), new Used(-1, -bytes));
  }

  private void change(Limit limit, Used by) {
    changes.merge(limit, by, Used::plus);
    decide(limit);
  }

  private void decide(Limit limit) {
    if (limit.kind().staysFullUntilATenthIsFree() && isFull(limit)) {
      full.add(limit);
    } else {
      full.remove(limit);
    }
  }

  /** Whether a consumer may have no more of a kind, as far as this node knows. */
  public synchronized boolean isFull(String consumer, Kind kind) {
    return isFull(new Limit(consumer, kind));
  }

  private boolean isFull(Limit limit) {
    Used most = limit.kind().limit(config.of(limit.consumer()));
    if (limit.kind() == Kind.DELAYED) {
      Limit kept = new Limit(limit.consumer(), Kind.KEPT);
      return isFull(kept) || used(limit).plus(used(kept)).reaches(most, TENTHS);
    }
    return used(limit).reaches(most, full.contains(limit) ? FREE_AGAIN : TENTHS);
  }

  /** The full limits that pause the endpoints of their consumers until there is room again. */
  public synchronized Set<Limit> toBePaused() {
    return full.stream()
        .filter(limit -> limit.kind() != Kind.KEPT || whenFull(limit.consumer()) == WhenFull.PAUSE)
        .collect(Collectors.toUnmodifiableSet());
  }

  private WhenFull whenFull(String consumer) {
    return config.of(consumer).quota().whenFull();
  }

  /** How much of a message of that size may be kept. */
  synchronized Room roomFor(String consumer, long bytes) {
    Limit kept = new Limit(consumer, Kind.KEPT);
    Used most = Kind.KEPT.limit(config.of(consumer));
    if (!isFull(kept) && used(kept).bytes() + bytes <= most.bytes()) {
      return Room.ALL;
    }
    return whenFull(consumer) == WhenFull.METADATA
            && used(kept).messages() < most.messages() * ROWS_WITHOUT_BODY
        ? Room.METADATA
        : Room.NONE;
  }

  /** How much a consumer has, as far as this node knows. */
  synchronized Used used(Limit limit) {
    return countedLessChanges
        .getOrDefault(limit, Used.NOTHING)
        .plus(changes.getOrDefault(limit, Used.NOTHING));
  }
}
