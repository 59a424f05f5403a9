package io.postbox.outbox;

import io.postbox.common.OperatorPolicies;

/**
 * Changes how failures of messages to a destination are recovered from while the servers run: the
 * number of attempts, the waits in between, and whether the messages behind a dead letter are held.
 * {@link OperatorPolicies} says when that is in effect. Injectable, thread-safe.
 *
 * <p>A change concerns what fails from then on. Messages that have failed before keep their number
 * of attempts and the wait that has begun, and their next failure is judged by the new policy: one
 * that has failed as often as the new policy allows, or more often, becomes a dead letter with its
 * next failure. Dead letters stay dead letters. To hold no longer releases no key that a dead
 * letter already holds (redrive or discard that one); to hold begins with the next dead letter.
 */
public interface OutboxPolicies extends OperatorPolicies<OutboxPolicy> {
  /**
   * Sets the policy of a destination; replaces an earlier one.
   *
   * @param destination the logical name for which messages are enqueued, also if they are
   *     redirected
   * @param policy the parts that are not as configured, at least one
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no such destination, or the policy or the reason
   *     is out of bounds; nothing was changed
   * @throws IllegalStateException if there are 1,000 policies for other destinations; nothing was
   *     changed
   * @throws OutboxException if the database failed; nothing was changed
   * @throws UnsupportedOperationException with {@code postbox.outbox.relay.mode=cdc}, where a
   *     connector sends
   */
  void set(String destination, OutboxPolicy policy, String reason);
}
