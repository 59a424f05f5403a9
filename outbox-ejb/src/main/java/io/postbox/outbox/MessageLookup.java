package io.postbox.outbox;

import io.postbox.common.LookupPage;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds messages wherever a row of them is kept: in {@code outbox_message} in any status, and in
 * {@code outbox_archive}. Injectable, thread-safe. Reads only, each call in a transaction of its
 * own, beside the caller's; it never reads a payload. The methods do not check who calls them: put
 * your own security before them.
 *
 * <p>A message that was sent has no row with {@code postbox.outbox.after-sending=delete}, the
 * default, nor after the retention, nor with {@code postbox.outbox.relay.mode=cdc}.
 *
 * <pre>{@code
 * LookupFilter order = LookupFilter.all().aggregate("Order", 17);
 * for (FoundMessage message : lookup.find(order, "", 50).items()) {
 *   lookup.life(message.id()).events().forEach(this::show);
 * }
 * }</pre>
 */
public interface MessageLookup {

  /**
   * The message with this id; empty if no row of it is kept.
   *
   * @throws OutboxException if the tables cannot be read
   */
  Optional<FoundMessage> get(UUID id);

  /**
   * Lists messages. First those that are not over, in the order in which they were enqueued or are
   * due, then those that were sent or discarded, the last one first; each group by itself.
   *
   * <p>Ids, aggregates, ordering keys and signatures are found by an index. For other criteria a
   * page examines up to 10,000 rows, newest or oldest first, of the statuses asked for; it may thus
   * have few items or none, and the search go on. Name the times between which messages were {@link
   * LookupFilter#endedFrom sent} to begin there.
   *
   * <p>Pending messages have no index but the relay's own, because each further one would cost
   * every enqueue and every send: they are found by id, or within one destination. Without id and
   * destination the page leaves them out and says so in its note.
   *
   * @param filter selects the messages
   * @param after {@link LookupPage#next} of the previous page, for the same filter; empty for the
   *     first page
   * @param size how many messages to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds, if the place to continue is not
   *     one of this filter, or if the filter asks for pending messages and names neither ids nor a
   *     destination
   * @throws OutboxException if the tables cannot be read
   */
  LookupPage<FoundMessage> find(LookupFilter filter, String after, int size);

  /**
   * The life of one message in order of time, as far as rows are kept: enqueued, failed, held and
   * behind whom, dead, sent or discarded. Of its failures the first one and the last ten are kept,
   * also after it was sent and deleted. If no row of the message itself is kept, the note says why
   * that may be.
   *
   * @throws OutboxException if the tables cannot be read
   */
  MessageLife life(UUID id);

  /**
   * Lists the ordering keys whose first message has failed, with how many messages wait behind it.
   * Ordered by partition and destination.
   *
   * @param after {@link LookupPage#next} of the previous page; empty for the first page
   * @param size how many keys to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds, or if the place to continue is
   *     not one of this list
   * @throws OutboxException if the tables cannot be read
   */
  LookupPage<HeldOrderingKey> heldKeys(String after, int size);
}
