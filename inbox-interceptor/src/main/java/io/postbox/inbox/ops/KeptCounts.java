package io.postbox.inbox.ops;

import io.postbox.common.config.Durations;
import io.postbox.common.ops.LoggedOnce;
import io.postbox.common.ops.SharedCount;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.receiver.Limits;
import io.postbox.inbox.receiver.Limits.Limit;
import io.postbox.inbox.receiver.Limits.Used;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.CountStore.Line;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * How many messages are kept aside, buffered or captured.
 *
 * @param lines of the count, by kind and by consumer, for those that have any
 */
public record KeptCounts(Map<Kind, Map<String, Line>> lines) {
  /** What a person has to see to. */
  public static final Set<Kind> KEPT = Set.of(Kind.PARKED, Kind.QUARANTINED);

  /** What is captured and waits to be handled. */
  public static final Set<Kind> CAPTURED = Set.of(Kind.PENDING, Kind.DELAYED, Kind.HELD);

  private static final Map<Limits.Kind, Set<Kind>> LIMITED =
      Map.of(
          Limits.Kind.KEPT,
          KEPT,
          Limits.Kind.DELAYED,
          Set.of(Kind.HANDED_BACK),
          Limits.Kind.EARLY,
          Set.of(Kind.EARLY),
          Limits.Kind.CAPTURED,
          CAPTURED);

  /** None, or not counted yet. */
  public static final KeptCounts NOTHING = of(List.of());

  /**
   * The count that this node holds.
   *
   * @param dataSource where the tables are; its connections must not be part of a transaction
   * @param store the statements
   * @param clock the node's clock, which never goes back
   */
  public static SharedCount<Line, KeptCounts> on(
      DataSource dataSource, CountStore store, InstantSource clock) {
    return new SharedCount<>(
        dataSource,
        store,
        clock,
        KeptCounts::of,
        InboxLog::failure,
        "The inbox cannot be counted",
        new LoggedOnce(
            failed -> WatchLog.countFailed(WatchLog.Counted.KEPT_ASIDE, failed),
            () -> WatchLog.countWorks(WatchLog.Counted.KEPT_ASIDE)));
  }

  /** The lines of a count. */
  public static KeptCounts of(List<Line> lines) {
    return new KeptCounts(
        lines.stream()
            .collect(
                Collectors.groupingBy(
                    Line::kind, Collectors.toUnmodifiableMap(Line::consumer, line -> line))));
  }

  /** How many of a kind a consumer has. */
  public long of(Kind kind, String consumer) {
    return of(Set.of(kind), consumer).messages();
  }

  /** How many of some kinds a consumer has, and their size. */
  public Used of(Set<Kind> kinds, String consumer) {
    return new Used(
        lines(kinds, consumer).mapToLong(Line::rows).sum(),
        lines(kinds, consumer).mapToLong(Line::bytes).sum());
  }

  /** How long ago the oldest of a consumer's captured messages was captured; zero if none is. */
  public Duration oldestOf(String consumer) {
    return lines(CAPTURED, consumer).map(Line::age).reduce(Duration.ZERO, Durations::longer);
  }

  private Stream<Line> lines(Set<Kind> kinds, String consumer) {
    return kinds.stream().flatMap(kind -> Stream.ofNullable(all(kind).get(consumer)));
  }

  /** How many of a kind there are in all. */
  public long number(Kind kind) {
    return all(kind).values().stream().mapToLong(Line::rows).sum();
  }

  private Map<String, Line> all(Kind kind) {
    return lines.getOrDefault(kind, Map.of());
  }

  /** The consumers that have any of some kinds. */
  public Set<String> consumers(Set<Kind> kinds) {
    Set<String> consumers = new TreeSet<>();
    kinds.forEach(kind -> consumers.addAll(all(kind).keySet()));
    return consumers;
  }

  /** The consumers that have captured messages, or whose handling of them is paused. */
  public Set<String> capturing() {
    return consumers(Set.of(Kind.PENDING, Kind.DELAYED, Kind.HELD, Kind.PAUSED));
  }

  /** The consumers whose captured messages are not handled, because an operator said so. */
  public Set<String> paused() {
    return consumers(Set.of(Kind.PAUSED));
  }

  /** What there is of all that is limited, but for aggregates. */
  public Map<Limit, Used> limited() {
    Map<Limit, Used> all = new HashMap<>();
    LIMITED.forEach(
        (limit, kinds) ->
            consumers(kinds)
                .forEach(consumer -> all.put(new Limit(consumer, limit), of(kinds, consumer))));
    return all;
  }
}
