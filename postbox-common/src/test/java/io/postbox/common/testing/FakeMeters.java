package io.postbox.common.testing;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Tag;
import io.postbox.common.metrics.Meters;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Metrics that a test can look at. A series is called {@code name value-of-tag value-of-tag}. */
public final class FakeMeters implements Meters {
  /** The counters' numbers; those of a removed series stay. */
  public final Map<String, Long> counts = new TreeMap<>();

  /** The gauges. */
  public final Map<String, DoubleSupplier> gauges = new TreeMap<>();

  /** The sums of what the timers were given. */
  public final Map<String, Duration> times = new TreeMap<>();

  /** The series that were removed. */
  public final Set<String> removed = new TreeSet<>();

  /** The descriptions. */
  public final Set<String> descriptions = new TreeSet<>();

  private static final Set<String> OF_THE_APPLICATION =
      Set.of("service", "destination", "consumer");

  private final Map<String, Meter> meters = new HashMap<>();
  private int asked;

  /**
   * A line for each metric, for a golden file: kind, name, unit, and tags; of tags with a fixed set
   * of values, these values.
   */
  public Stream<String> contract() {
    Map<String, TreeMap<String, TreeSet<String>>> metrics = new TreeMap<>();
    meters.forEach(
        (series, meter) -> {
          String kind =
              gauges.containsKey(series)
                  ? "gauge"
                  : times.containsKey(series) ? "timer" : "counter";
          TreeMap<String, TreeSet<String>> tags =
              metrics.computeIfAbsent(
                  String.join(" ", kind, meter.name(), meter.unit().word()).strip(),
                  metric -> new TreeMap<>());
          for (Tag tag : meter.tags()) {
            tags.computeIfAbsent(tag.name(), name -> new TreeSet<>());
            if (!OF_THE_APPLICATION.contains(tag.name())) {
              tags.get(tag.name()).add(tag.value());
            }
          }
        });
    return metrics.entrySet().stream().map(each -> each.getKey() + " " + each.getValue());
  }

  /** How often a series was asked for. */
  public int asked() {
    return asked;
  }

  /** All series that were ever asked for. */
  public Stream<Meter> all() {
    return meters.values().stream();
  }

  @Override
  public Counter counter(Meter meter) {
    String series = note(meter);
    counts.putIfAbsent(series, 0L);
    return more -> counts.merge(series, more, Long::sum);
  }

  @Override
  public void gauge(Meter meter, DoubleSupplier value) {
    gauges.put(note(meter), value);
  }

  @Override
  public Timer timer(Meter meter) {
    String series = note(meter);
    times.putIfAbsent(series, Duration.ZERO);
    return duration -> times.merge(series, duration, Duration::plus);
  }

  @Override
  public void remove(Meter meter) {
    removed.add(series(meter));
  }

  @Override
  public void close() {
    removed.addAll(meters.keySet());
  }

  private String note(Meter meter) {
    asked++;
    descriptions.add(meter.description());
    meters.put(series(meter), meter);
    return series(meter);
  }

  private static String series(Meter meter) {
    return Stream.concat(Stream.of(meter.name()), meter.tags().stream().map(Tag::value))
        .collect(Collectors.joining(" "));
  }
}
