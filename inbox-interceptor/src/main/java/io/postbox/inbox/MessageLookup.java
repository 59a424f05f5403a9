package io.postbox.inbox;

import io.postbox.common.LookupPage;
import java.util.Optional;

/**
 * Finds messages wherever the inbox keeps a row of them: handled, captured, retried, parked,
 * quarantined, failing. Injectable, thread-safe. Reads only, each call in a transaction of its own,
 * beside the caller's; it never reads a payload. The methods do not check who calls them: put your
 * own security before them.
 *
 * <p>The id of a handled message is kept for its consumer's retention.
 *
 * <pre>{@code
 * lookup.handled("shipping", id).ifPresentOrElse(
 *     done -> show(done.outcome(), done.at()), () -> lookup.life(id).events().forEach(this::show));
 * }</pre>
 */
public interface MessageLookup {

  /**
   * Whether a consumer is done with a message, and when it was: one look-up by the primary key.
   * Empty if it is not, or if that is longer ago than the retention.
   *
   * @throws InboxException if the tables cannot be read
   */
  Optional<FoundMessage> handled(String consumer, String messageId);

  /**
   * Lists messages: first those that are kept aside, by their state, then captured and retried
   * ones, the oldest first, then handled ones, the last one first. Captured and retried messages of
   * one consumer are listed by their ids, which sort by the time of sending.
   *
   * <p>Message ids, aggregates and signatures are found by an index. For other criteria a page
   * examines up to 10,000 rows in that order; it may thus have few items or none, and the search go
   * on.
   *
   * <p>Handled messages have no index but the inbox's own, because each further one would cost
   * every delivery: they are found by id, or within one consumer, by time. With {@code
   * postbox.inbox.table-partitioning=daily}, within one consumer, they are listed by their ids,
   * which sort by the time of sending. Without id and consumer the page leaves them out and says so
   * in its note; likewise with criteria that the inbox does not store of them.
   *
   * @param filter selects the messages
   * @param after {@link LookupPage#next} of the previous page, for the same filter; empty for the
   *     first page
   * @param size how many messages to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds, if the place to continue is not
   *     one of this filter, or if the filter asks for a place in which it cannot be searched
   * @throws InboxException if the tables cannot be read
   */
  LookupPage<FoundMessage> find(LookupFilter filter, String after, int size);

  /**
   * Lists recorded failures, the last one first; those of one message in their order. By message
   * id, signature, consumer and time.
   *
   * @param filter selects the failures
   * @param after {@link LookupPage#next} of the previous page, for the same filter; empty for the
   *     first page
   * @param size how many failures to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds, if the place to continue is not
   *     one of this filter, or if the filter has a criterion that is not stored of failures
   * @throws InboxException if the tables cannot be read
   */
  LookupPage<FailedAttempt> failures(LookupFilter filter, String after, int size);

  /**
   * The life of one message in order of time, with all consumers, as far as rows are kept:
   * deliveries that began and did not end, failures, captured, retried, parked, quarantined,
   * handled. At most 100 rows and 100 failures.
   *
   * @throws InboxException if the tables cannot be read
   */
  MessageLife life(String messageId);

  /**
   * The life of one message with one consumer.
   *
   * @throws InboxException if the tables cannot be read
   */
  MessageLife life(String consumer, String messageId);
}
