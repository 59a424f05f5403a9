package io.postbox.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Some measurements of one thing, in the order in which they were made.
 *
 * @param values at least one
 */
record Figures(List<Double> values) {
  Figures {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  double median() {
    return quantile(0.5);
  }

  /** The smallest value that so great a part of the values does not exceed. */
  double quantile(double part) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }

  /**
   * This by that, measurement by measurement, so that what slows a whole round down is not seen.
   *
   * @param others as many, measured in turns with these
   */
  Figures over(Figures others) {
    if (others.values.size() != values.size()) {
      throw new IllegalArgumentException(values.size() + " and " + others.values.size());
    }
    return new Figures(
        IntStream.range(0, values.size())
            .mapToObj(i -> values.get(i) / others.values.get(i))
            .toList());
  }

  String all(String format) {
    return values.stream()
        .map(value -> String.format(Locale.ROOT, format, value))
        .collect(Collectors.joining(" "));
  }
}
