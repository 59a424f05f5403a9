package io.postbox.benchmark;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tries every size of a floor once, and keeps the best. */
final class Grid {
  private final Measurements tried = new Measurements();

  /** A floor, in messages per second. */
  interface Floor {
    double measure(Load load) throws Exception;
  }

  Load best(String what, List<Load> loads, Floor floor) throws Exception {
    Map<Load, Double> rates = new HashMap<>();
    for (Load load : loads) {
      rates.put(load, tried.measure(what + ", " + load, () -> floor.measure(load)));
    }
    return loads.stream().max(Comparator.comparing(rates::get)).orElseThrow();
  }

  /** The measurements so far. */
  Measurements tried() {
    return tried;
  }
}
