package io.postbox.common;

import java.io.Serializable;
import java.time.Instant;
import java.util.List;

/**
 * The rows that an erasure would touch, counted and not changed. Made by {@link Erasure#plan};
 * immutable and thread-safe.
 *
 * @param token names the plan, with who made it and until when it is valid
 * @param target the messages, the aggregate or the person to erase
 * @param asOf rows that came into the tables after this time, by the database's clock, are left
 *     alone: an application may enqueue that it has erased somebody
 * @param subject the target's name in {@code postbox_audit}: ids, or a digest instead of an
 *     aggregate's id or a person's key. It is the same for each plan about the same target, so that
 *     a record can be found again
 * @param places the places with the numbers of their rows, in the order of the erasure
 */
public record ErasurePlan(
    PlanToken token, ErasureTarget target, Instant asOf, String subject, List<Found> places)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Keeps a copy. */
  public ErasurePlan {
    places = List.copyOf(places);
  }

  /**
   * The rows that were found in one place.
   *
   * @param place its name, for instance {@code archive}
   * @param rows how many rows
   * @param complete whether that are all; otherwise the count ended early, after 100,000 rows that
   *     no index could leave out, and the erasure itself will go on to the end
   */
  public record Found(String place, long rows, boolean complete) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** How many rows were found in all places. */
  public long rows() {
    return places.stream().mapToLong(Found::rows).sum();
  }
}
