package io.postbox.inbox;

import io.postbox.common.RetryPolicy;
import java.time.Instant;
import java.util.List;

/**
 * Changes how often a consumer's handler may fail, and the waits in between, while the servers run.
 * A policy takes the place of the configuration's keys for that consumer, on all nodes and also
 * after restarts, until it is reset. Injectable, thread-safe.
 *
 * <p>A change is in effect on this node when the method returns, and on the others within five
 * seconds. A node whose database fails meanwhile goes by what it read last.
 *
 * <p>Messages that have failed before keep their number of attempts and the wait that has begun,
 * and their next delivery is judged by the new policy: one that has failed as often as the new
 * policy allows, or more often, is parked at its next delivery, without another attempt. Parked
 * messages stay parked; a redrive begins to count anew. Failures and ids are remembered for as long
 * as a message may be retried by the configuration or by the policy, whichever is longer.
 *
 * <p>No method takes part in the caller's transaction, which is suspended: each call is a
 * transaction of its own, and one that changes something writes a row to {@code postbox_audit} that
 * holds the caller's principal ({@code unknown} if no user is logged in) and the reason. The
 * methods do not check who calls them: put your own security before them.
 */
public interface InboxPolicies {
  /**
   * Sets the policy of a consumer; replaces an earlier one.
   *
   * @param consumer its name, 1 to 100 characters
   * @param policy the settings that differ from the configuration; at least one
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if the application has no such consumer, or the policy or the
   *     reason is out of bounds; nothing was changed. Any consumer may exist where {@link
   *     InboxGuard} is injected
   * @throws IllegalStateException if there are 1,000 policies for other consumers; nothing was
   *     changed
   * @throws InboxException if the database failed; nothing was changed
   */
  void set(String consumer, RetryPolicy policy, String reason);

  /**
   * Ends the policy of a consumer, so that the configuration applies again.
   *
   * @param consumer its name
   * @param reason for the record: 1 to 1,000 characters
   * @return whether there was one
   * @throws IllegalArgumentException if the reason is missing or too long; nothing was changed
   * @throws InboxException if the database failed; nothing was changed
   */
  boolean reset(String consumer, String reason);

  /**
   * The policies by consumer, as they are in the database.
   *
   * @throws InboxException if the tables cannot be read
   */
  List<RuntimePolicy> list();

  /**
   * A policy that an operator has set.
   *
   * @param consumer its name
   * @param policy the settings that differ from the configuration
   * @param reason the operator's
   * @param principal the operator
   * @param since when it was set, by the database's clock
   */
  record RuntimePolicy(
      String consumer, RetryPolicy policy, String reason, String principal, Instant since) {}
}
