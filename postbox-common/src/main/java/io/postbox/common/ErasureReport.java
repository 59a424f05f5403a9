package io.postbox.common;

import java.util.List;

/**
 * What an erasure has done so far. Immutable and thread-safe.
 *
 * @param action the action, with its state
 * @param places what was erased where, in the order of the places
 */
public record ErasureReport(OperatorAction action, List<Erased> places) {

  /** Keeps a copy. */
  public ErasureReport {
    places = List.copyOf(places);
  }

  /**
   * What was erased in one place.
   *
   * @param place its name, for instance {@code archive}
   * @param rows how many rows
   */
  public record Erased(String place, long rows) {}
}
