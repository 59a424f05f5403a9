package io.postbox.outbox;

import java.util.List;
import java.util.UUID;

/**
 * The failed attempts to send messages, counted in groups of one cause, or one message at a time.
 * Injectable, thread-safe. Reads only, each call in a transaction of its own, beside the caller's.
 *
 * <p>An attempt that is charged to its message is recorded in the transaction that charges it, and
 * so is the expiry of a message. Failures of a destination or of the broker are not: they open a
 * circuit, and their messages wait. Of each message the first failure and the last ten are kept,
 * for {@code postbox.outbox.retention} after the failure, whether the message is sent meanwhile or
 * not.
 *
 * <pre>{@code
 * for (FailureGroup group : failures.groups("", 100)) {
 *   if (group.dead() > 0) {
 *     letters.find(DeadLetterFilter.all().signature(group.signature()), Page.first(10));
 *   }
 * }
 * }</pre>
 */
public interface FailureHistory {

  /**
   * Lists the groups of failures in the order of their signatures. The cost of a page does not grow
   * with the number of failures, nor with the pages before.
   *
   * @param after the signature of the last group on the previous page; empty for the first page
   * @param size how many groups to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds
   * @throws OutboxException if the tables cannot be read
   */
  List<FailureGroup> groups(String after, int size);

  /**
   * The recorded failures of one message in their order, 11 at most; none if it never failed, or if
   * that is longer ago than the retention. The message may have been sent, discarded and deleted.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<FailedAttempt> of(UUID messageId);
}
