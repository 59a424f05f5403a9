package io.postbox.outbox;

import java.time.Instant;
import java.util.List;

/**
 * Changes how failures of messages to a destination are recovered from while the servers run: the
 * number of attempts, the waits in between, and whether the messages behind a dead letter are held.
 * A policy takes the place of the configuration's keys for that destination, on all nodes and also
 * after restarts, until it is reset. Injectable, thread-safe.
 *
 * <p>A change is in effect on this node when the method returns, and on the others within five
 * seconds. A node whose database fails meanwhile goes by what it read last.
 *
 * <p>A change concerns what fails from then on. Messages that have failed before keep their number
 * of attempts and the wait that has begun, and their next failure is judged by the new policy: one
 * that has failed as often as the new policy allows, or more often, becomes a dead letter with its
 * next failure. Dead letters stay dead letters. To hold no longer releases no key that a dead
 * letter already holds (redrive or discard that one); to hold begins with the next dead letter.
 *
 * <p>No method takes part in the caller's transaction, which is suspended: each call is a
 * transaction of its own, and one that changes something writes a row to {@code postbox_audit} that
 * holds the caller's principal ({@code unknown} if no user is logged in) and the reason. The
 * methods do not check who calls them: put your own security before them.
 */
public interface OutboxPolicies {
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

  /**
   * Ends the policy of a destination, so that the configuration applies again.
   *
   * @param destination the logical name
   * @param reason for the record: 1 to 1,000 characters
   * @return whether there was one
   * @throws IllegalArgumentException if the reason is missing or too long; nothing was changed
   * @throws OutboxException if the database failed; nothing was changed
   */
  boolean reset(String destination, String reason);

  /**
   * The policies by destination, as they are in the database.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<RuntimePolicy> list();

  /**
   * A policy that an operator has set.
   *
   * @param destination the logical name
   * @param policy the parts that are not as configured
   * @param reason the operator's
   * @param principal the operator
   * @param since when it was set, by the database's clock
   */
  record RuntimePolicy(
      String destination, OutboxPolicy policy, String reason, String principal, Instant since) {}
}
