package io.postbox.crash.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The straight line through readings that were taken one after the other: the median of the slopes
 * between any two of them (Theil and Sen). A step near an end, a peak, or a few readings that are
 * off do not move it; steady growth does.
 *
 * @param start where the line begins
 * @param rise by how much it is higher at its end, in the readings' unit
 */
public record Trend(double start, double rise) {
  /** Of fewer readings nothing can be said. */
  public static final int LEAST = 8;

  /**
   * The line through these.
   *
   * @throws IllegalArgumentException if they are fewer than {@link #LEAST}
   */
  static Trend of(List<Double> readings) {
    int number = readings.size();
    if (number < LEAST) {
      throw new IllegalArgumentException(number + " readings do not show a trend");
    }
    DoubleStream.Builder slopes = DoubleStream.builder();
    for (int i = 0; i < number; i++) {
      for (int j = i + 1; j < number; j++) {
        slopes.add((readings.get(j) - readings.get(i)) / (j - i));
      }
    }
    double slope = median(slopes.build());
    DoubleStream.Builder starts = DoubleStream.builder();
    for (int i = 0; i < number; i++) {
      starts.add(readings.get(i) - slope * i);
    }
    return new Trend(median(starts.build()), slope * (number - 1));
  }

  double end() {
    return start + rise;
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
