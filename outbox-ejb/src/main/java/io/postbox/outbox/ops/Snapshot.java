package io.postbox.outbox.ops;

import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.store.StatisticsStore.Kind;
import io.postbox.outbox.store.StatisticsStore.Line;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The result of one count of the table: the whole service's numbers, from whichever node counted.
 *
 * @param byDestination the numbers of destinations with messages, by name
 * @param paused the paused destinations; {@code *} means all destinations
 * @param redirected the redirected destinations
 */
public record Snapshot(
    Map<String, DestinationStatistics> byDestination, Set<String> paused, Set<String> redirected) {

  /** Before the first count. */
  public static final Snapshot NOTHING = new Snapshot(Map.of(), Set.of(), Set.of());

  static Snapshot of(List<Line> lines) {
    Map<String, DestinationStatistics> counted = new TreeMap<>();
    Set<String> paused = new TreeSet<>();
    Set<String> redirected = new TreeSet<>();
    for (Line line : lines) {
      if (line.kind() == Kind.PAUSED) {
        paused.add(line.destination());
      } else if (line.kind() == Kind.REDIRECTED) {
        redirected.add(line.destination());
      } else {
        counted.merge(line.destination(), statistics(line), DestinationStatistics::plus);
      }
    }
    return new Snapshot(counted, paused, redirected);
  }

  private static DestinationStatistics statistics(Line line) {
    long messages = line.messages();
    return switch (line.kind()) {
      case PENDING, RETRY -> waiting(line, 0);
      case HELD -> waiting(line, messages);
      case DELAYED ->
          new DestinationStatistics(
              line.destination(), 0, 0, messages, 0, Duration.ZERO, line.estimated());
      case DEAD ->
          new DestinationStatistics(
              line.destination(), 0, 0, 0, messages, Duration.ZERO, line.estimated());
      case PAUSED, REDIRECTED -> throw new IllegalArgumentException("not messages: " + line);
    };
  }

  private static DestinationStatistics waiting(Line line, long held) {
    return new DestinationStatistics(
        line.destination(), line.messages(), held, 0, 0, line.age(), line.estimated());
  }

  /** The numbers of a destination, which may have no messages. */
  public DestinationStatistics of(String destination) {
    return byDestination.getOrDefault(destination, DestinationStatistics.none(destination));
  }

  /** The number of pending messages for all destinations together. */
  public long pending() {
    return byDestination.values().stream().mapToLong(DestinationStatistics::pending).sum();
  }

  /** The destinations with more messages than are counted, so that their numbers are estimates. */
  public List<String> estimated() {
    return byDestination.values().stream()
        .filter(DestinationStatistics::estimated)
        .map(DestinationStatistics::destination)
        .toList();
  }

  /** How long the oldest pending message has waited. */
  public Duration oldestPending() {
    return byDestination.values().stream()
        .map(DestinationStatistics::oldestPending)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** Whether this destination is paused, by its name or with all. */
  public boolean isPaused(String destination) {
    return paused.contains(destination) || paused.contains("*");
  }
}
