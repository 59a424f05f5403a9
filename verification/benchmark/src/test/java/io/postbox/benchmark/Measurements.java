package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Values by what was measured, in the order in which each was measured first. */
final class Measurements {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  /** Measures once more, and answers the value. */
  double measure(String what, Callable<Double> measurement) throws Exception {
    double value = measurement.call();
    System.out.printf(Locale.ROOT, "%s: %.1f%n", what, value);
    values.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
    return value;
  }

  Figures of(String what) {
    List<Double> measured = values.get(what);
    if (measured == null) {
      throw new IllegalArgumentException(what + " is not one of " + values.keySet());
    }
    return new Figures(measured);
  }

  /** Appends each as a row of the report's table. */
  void tell(Report report, String format) {
    values.keySet().forEach(what -> report.row(what, of(what), format));
  }
}
