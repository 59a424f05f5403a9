package io.postbox.inbox;

import io.postbox.common.LookupPage;
import io.postbox.common.PlanRefusedException;
import java.util.UUID;

/**
 * The gaps in the order of versions of consumers with {@code order=version}, and what an operator
 * can do about them. Injectable, thread-safe.
 *
 * <p>No method takes part in the caller's transaction, which is suspended meanwhile. An action
 * writes the caller's principal and the reason to {@code postbox_audit}, in the same transaction as
 * the change; the principal is {@code unknown} if no user is logged in. The methods do not check
 * who calls them: put your own security before them.
 */
public interface VersionGaps {

  /**
   * Lists gaps by consumer, of each consumer the longest missing first, in a number of statements
   * that grows with the page alone. A gap whose next version is being handled is one, too, until
   * that has committed.
   *
   * @param after the place to continue, from the page before; empty for the first page
   * @param size how many to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds, or the place is not one of a
   *     page
   * @throws InboxException if the tables cannot be read
   */
  LookupPage<VersionGap> find(GapFilter filter, String after, int size);

  /**
   * Lists the gaps that a skip would close, and changes nothing: the first {@link GapPlan#LARGEST}
   * in the order of {@link #find}. A gap of which the inbox has a missing version ({@link
   * VersionGap#isAnyHere}) is in the plan only if the filter names its aggregate: that version's
   * message would be skipped as stale, and not handled.
   *
   * @throws InboxException if the tables cannot be read
   */
  GapPlan plan(GapFilter filter);

  /**
   * Skips the missing versions of the plan's gaps: the first waiting version of each is handled
   * next. A message with a skipped version that comes later is skipped as stale. Each gap is
   * skipped in a transaction of its own, which locks its aggregate and leaves the gap alone if its
   * last handled or first waiting version is not that of the plan any more, or another missing
   * version has arrived.
   *
   * @param plan the id of one from {@link #plan}
   * @param reason for the record: 1 to 1,000 characters
   * @throws IllegalArgumentException if there is no reason, or it is too long; nothing was changed
   * @throws PlanRefusedException if the plan was not made by {@link #plan} for the caller, is older
   *     than an hour, or was carried out already; nothing was changed
   * @throws InboxException if the database failed; the text says how many gaps were skipped
   */
  SkippedGaps skip(UUID plan, String reason);
}
