package io.postbox.inbox.ops;

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
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * How many messages are kept aside, buffered or captured, by consumer, for consumers that have any.
 *
 * @param parked messages that their handler could not handle
 * @param quarantined deliveries without a usable id, or with a known id and other content
 * @param bytes the size of both
 * @param buffered messages that wait for their turn in the order of versions
 * @param captured captured messages that are not handled yet
 * @param handedBack messages that go back to their queue, whose copies are not handled yet
 */
public record KeptCounts(
    Map<String, Long> parked,
    Map<String, Long> quarantined,
    Map<String, Long> bytes,
    Map<String, Used> buffered,
    Map<String, CapturedCount> captured,
    Map<String, Used> handedBack) {
  private static final Set<Kind> KEPT =
      EnumSet.of(Kind.PARKED, Kind.EARLY, Kind.QUARANTINED, Kind.HANDED_BACK);

  /** None, or not counted yet. */
  public static final KeptCounts NOTHING = new KeptCounts(Map.of(), Map.of(), Map.of());

  /** Without buffered and captured messages. */
  public KeptCounts(
      Map<String, Long> parked, Map<String, Long> quarantined, Map<String, Long> bytes) {
    this(parked, quarantined, bytes, Map.of(), Map.of(), Map.of());
  }

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

  /** Adds up the lines of a count. */
  public static KeptCounts of(List<Line> lines) {
    return new KeptCounts(
        byConsumer(lines, Kind.PARKED),
        byConsumer(lines, Kind.QUARANTINED),
        lines.stream()
            .filter(line -> line.kind() == Kind.PARKED || line.kind() == Kind.QUARANTINED)
            .collect(Collectors.toUnmodifiableMap(Line::consumer, Line::bytes, Long::sum)),
        sizes(lines, Kind.EARLY),
        lines.stream()
            .filter(line -> !KEPT.contains(line.kind()))
            .collect(
                Collectors.toUnmodifiableMap(
                    Line::consumer, KeptCounts::captured, CapturedCount::plus)),
        sizes(lines, Kind.HANDED_BACK));
  }

  private static CapturedCount captured(Line line) {
    long rows = line.rows();
    return switch (line.kind()) {
      case PENDING -> new CapturedCount(rows, 0, 0, line.age(), line.bytes(), false);
      case DELAYED -> new CapturedCount(0, rows, 0, line.age(), line.bytes(), false);
      case HELD -> new CapturedCount(0, 0, rows, line.age(), line.bytes(), false);
      case PAUSED -> new CapturedCount(0, 0, 0, Duration.ZERO, 0, true);
      case PARKED, EARLY, QUARANTINED, HANDED_BACK -> CapturedCount.NOTHING;
    };
  }

  /** The consumers whose captured messages are not handled, because an operator said so. */
  public Set<String> paused() {
    return captured.entrySet().stream()
        .filter(each -> each.getValue().isPaused())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A consumer's captured messages. */
  public CapturedCount capturedOf(String consumer) {
    return captured.getOrDefault(consumer, CapturedCount.NOTHING);
  }

  /** What there is of all that is limited, but for aggregates. */
  public Map<Limit, Used> limited() {
    Map<Limit, Used> all = new HashMap<>();
    used().forEach((consumer, some) -> all.put(new Limit(consumer, Limits.Kind.KEPT), some));
    handedBack.forEach((consumer, some) -> all.put(new Limit(consumer, Limits.Kind.DELAYED), some));
    buffered.forEach((consumer, some) -> all.put(new Limit(consumer, Limits.Kind.EARLY), some));
    backlogs()
        .forEach((consumer, some) -> all.put(new Limit(consumer, Limits.Kind.CAPTURED), some));
    return all;
  }

  /** The used parts of the consumers' quotas. */
  public Map<String, Used> used() {
    return consumers().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                consumer -> consumer,
                consumer ->
                    new Used(
                        parkedOf(consumer) + quarantinedOf(consumer),
                        bytes.getOrDefault(consumer, 0L))));
  }

  /** The captured messages of each consumer that has any that wait to be handled. */
  public Map<String, Used> backlogs() {
    return captured.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().backlog()));
  }

  /** The size of a consumer's kept messages. */
  public long bytesOf(String consumer) {
    return bytes.getOrDefault(consumer, 0L);
  }

  private static Map<String, Long> byConsumer(List<Line> lines, Kind kind) {
    return lines.stream()
        .filter(line -> line.kind() == kind)
        .collect(Collectors.toUnmodifiableMap(Line::consumer, Line::rows));
  }

  private static Map<String, Used> sizes(List<Line> lines, Kind kind) {
    return lines.stream()
        .filter(line -> line.kind() == kind)
        .collect(
            Collectors.toUnmodifiableMap(
                Line::consumer, line -> new Used(line.rows(), line.bytes())));
  }

  /** How many of a consumer's go back to their queue. */
  public long handedBackOf(String consumer) {
    Used some = handedBack.get(consumer);
    return some == null ? 0 : some.messages();
  }

  /** The consumers that have any. */
  public Set<String> consumers() {
    Set<String> consumers = new TreeSet<>(parked.keySet());
    consumers.addAll(quarantined.keySet());
    return consumers;
  }

  /** How many of a consumer's are parked. */
  public long parkedOf(String consumer) {
    return parked.getOrDefault(consumer, 0L);
  }

  /** How many of a consumer's are quarantined. */
  public long quarantinedOf(String consumer) {
    return quarantined.getOrDefault(consumer, 0L);
  }

  /** How many of a consumer's are buffered. */
  public long bufferedOf(String consumer) {
    Used some = buffered.get(consumer);
    return some == null ? 0 : some.messages();
  }

  /** How many are parked in all. */
  public long allParked() {
    return parked.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many are quarantined in all. */
  public long allQuarantined() {
    return quarantined.values().stream().mapToLong(Long::longValue).sum();
  }
}
