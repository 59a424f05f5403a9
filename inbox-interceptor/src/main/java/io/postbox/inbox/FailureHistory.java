package io.postbox.inbox;

import java.util.List;

/**
 * The failures of messages, and their number: the deliveries that were rolled back, in groups of
 * one cause or one message at a time. Injectable, thread-safe. Reads only, each call in a
 * transaction of its own, beside the caller's.
 *
 * <p>A failure is recorded after its transaction has ended. Of each message the first charged
 * failure and the last ten are kept, of those that are not charged the last one of each kind, and
 * as much from before its last redrive; all for the consumer's retention after the failure, whether
 * the message is handled meanwhile or not. While the inbox's own database is unavailable nothing is
 * recorded.
 */
public interface FailureHistory {

  /**
   * Lists the groups of failures in the order of their signatures. The cost of a page does not grow
   * with the number of failures, nor with the pages before.
   *
   * @param after the signature of the last group on the previous page; empty for the first page
   * @param size how many groups to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds
   * @throws InboxException if the tables cannot be read
   */
  List<FailureGroup> groups(String after, int size);

  /**
   * The recorded failures of one message in their order; none if it never failed, or if that is
   * longer ago than the retention.
   *
   * @throws InboxException if the tables cannot be read
   */
  List<FailedAttempt> of(String consumer, String messageId);
}
