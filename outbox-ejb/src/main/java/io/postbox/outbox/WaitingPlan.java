package io.postbox.outbox;

import io.postbox.common.PlanToken;
import java.io.Serializable;
import java.time.Instant;

/**
 * The messages that a discard or redirect would touch. {@link WaitingMessages#plan} makes it, and
 * keeps it on record. It is valid for one use by the same principal, on any node, within an hour.
 * What counts is the record: a plan that the application has constructed is refused. Immutable and
 * thread-safe.
 *
 * @param token names the plan
 * @param destination the logical name
 * @param asOf only messages that were enqueued until this time, by the database's clock
 * @param pending how many could be sent unless their destination is paused or unavailable
 * @param delayed how many have to be sent later, including retries
 * @param held how many wait behind another one of their ordering key
 */
public record WaitingPlan(
    PlanToken token, String destination, Instant asOf, long pending, long delayed, long held)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The most messages of a state that a plan counts. */
  public static final long MOST_COUNTED = 100_000;

  /**
   * Whether so many wait in a state that they were not all counted: there are at least so many. The
   * plan selects all of them.
   */
  public boolean estimated() {
    return pending >= MOST_COUNTED || delayed >= MOST_COUNTED || held >= MOST_COUNTED;
  }

  /** How many messages; the least number if it is {@link #estimated()}. */
  public long messages() {
    return pending + delayed + held;
  }
}
