package io.postbox.outbox;

import io.postbox.common.PlanToken;
import java.io.Serializable;
import java.time.Instant;

/**
 * The messages that a discard or redirect would touch. Made by {@link WaitingMessages#plan}, and
 * valid for one use by the same principal, on any node, within an hour; a constructed plan is
 * refused. Immutable and thread-safe.
 *
 * @param token shows that the outbox made it
 * @param destination the logical name
 * @param asOf only messages that were enqueued until this time, by the database's clock
 * @param pending how many could go if nothing were in their way
 * @param delayed how many are to go later, among them those to be tried again
 * @param held how many wait behind one of their ordering key
 */
public record WaitingPlan(
    PlanToken token, String destination, Instant asOf, long pending, long delayed, long held)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How many messages. */
  public long messages() {
    return pending + delayed + held;
  }
}
