package io.postbox.outbox;

import java.time.Instant;

/**
 * What a discard of waiting messages would touch. Made by {@link WaitingMessages#plan}.
 *
 * @param destination the logical name
 * @param asOf only messages that were enqueued until this time, by the database's clock
 * @param pending how many could go if nothing were in their way
 * @param delayed how many are to go later, among them those to be tried again
 * @param held how many wait behind one of their ordering key
 */
public record WaitingPlan(String destination, Instant asOf, long pending, long delayed, long held) {

  /** How many messages. */
  public long messages() {
    return pending + delayed + held;
  }
}
