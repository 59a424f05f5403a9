package io.postbox.inbox;

import io.postbox.common.OperatorPolicies;
import io.postbox.common.RetryPolicy;

/**
 * Changes how often a consumer's handler may fail, and the waits in between, while the servers run.
 * {@link OperatorPolicies} says when that is in effect. Injectable, thread-safe.
 *
 * <p>Messages that have failed before keep their number of attempts and the wait that has begun,
 * and their next delivery is judged by the new policy: one that has failed as often as the new
 * policy allows, or more often, is parked at its next delivery, without another attempt. Parked
 * messages stay parked; a redrive begins to count anew. Failures and ids are remembered for as long
 * as a message may be retried by the configuration or by the policy, whichever is longer.
 */
public interface InboxPolicies extends OperatorPolicies<RetryPolicy> {
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
}
