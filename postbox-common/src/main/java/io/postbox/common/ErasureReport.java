package io.postbox.common;

import java.util.List;

/**
 * The progress of an erasure. Immutable and thread-safe.
 *
 * @param action the action, with its state
 * @param places the rows erased in each place, in the order of the places
 */
public record ErasureReport(OperatorAction action, List<Erased> places) {

  /** Keeps a copy. */
  public ErasureReport {
    places = List.copyOf(places);
  }

  /**
   * The rows that were erased in one place.
   *
   * @param place its name, for instance {@code archive}
   * @param rows how many rows
   */
  public record Erased(String place, long rows) {}
}
