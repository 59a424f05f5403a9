package io.postbox.crash.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * The growth of one gauge in a soak. Its first third is for warming up, and not judged.
 *
 * @param readings all of them, in order
 * @param trend that of those after the first third
 */
public record Growth(Gauge gauge, List<Double> readings, Trend trend) {
  private static final int WARM_UP = 3;

  /**
   * Each gauge that was read at least once; where it was not, there was none of it.
   *
   * @param readings taken one after the other
   */
  public static List<Growth> of(List<Map<Gauge, Double>> readings) {
    TreeSet<Gauge> gauges = new TreeSet<>();
    readings.forEach(reading -> gauges.addAll(reading.keySet()));
    List<Growth> growths = new ArrayList<>();
    for (Gauge gauge : gauges) {
      List<Double> own =
          readings.stream().map(reading -> reading.getOrDefault(gauge, 0.0)).toList();
      growths.add(new Growth(gauge, own, Trend.of(own.subList(warmUp(own.size()), own.size()))));
    }
    return List.copyOf(growths);
  }

  /** How many of so many readings are not judged. */
  public static int warmUp(int readings) {
    return readings / WARM_UP;
  }

  double allowed() {
    return gauge.allowed(trend.start());
  }

  /** In one line. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%s: from %.1f to %.1f, a rise of %.1f; allowed are %.1f",
        gauge.text(),
        trend.start(),
        trend.end(),
        trend.rise(),
        allowed());
  }

  public boolean tooMuch() {
    return trend.rise() > allowed();
  }
}
