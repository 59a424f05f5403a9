package io.postbox.outbox;

import io.postbox.common.OutboxProperties;
import java.util.List;
import java.util.UUID;

/**
 * The transactional outbox: a message enqueued here is sent if, and only if, the caller's
 * transaction commits.
 *
 * <p>Inject it into any EJB or CDI bean. Both methods need an active JTA transaction, write on the
 * data source that the outbox is configured with, and join that transaction's connection, so that
 * domain rows and messages commit together. The instance is thread-safe.
 *
 * <p>Messages with the same destination and ordering key are first handed over in the order of
 * their transactions if each transaction enqueues while it holds what serialises them. So take the
 * aggregate's lock (or check its version) first, and enqueue after.
 */
public interface Outbox {

  /**
   * Writes one message within the caller's transaction, in one SQL statement; in two with {@code
   * postbox.outbox.relay.mode=cdc}.
   *
   * @return the message id, which travels as the property {@value OutboxProperties#MESSAGE_ID}
   * @throws NoTransactionException if no transaction is active, or the active one can only roll
   *     back; nothing is written
   * @throws MessageRefusedException if the message is not one that could be sent (no payload, a
   *     value too long for its column, an id that is still in the table; with {@code
   *     postbox.outbox.relay.mode=cdc} anything that a connector cannot send); nothing is written
   *     and the transaction is still usable
   * @throws BacklogFullException if the backlog has reached a hard limit; nothing is written and
   *     the transaction is still usable
   * @throws OutboxException if the database fails; whether the transaction is still usable depends
   *     on the database, as after any failed statement. Or if no replication slot carries the
   *     message with {@code postbox.outbox.relay.mode=cdc}, or if the transaction is completing and
   *     the server no longer reports its end; it is then marked for rollback. An observer {@code
   *     during = BEFORE_COMPLETION} and a listener of JPA in the flush at the commit are in time
   */
  UUID enqueue(OutboxMessage message);

  /**
   * Writes the messages in the order of the list, in one JDBC batch; if one of them has an id of
   * the caller's, in one statement each. If one of them is refused, none is sent.
   *
   * @return the message ids, in the order of the list; empty for an empty list
   * @throws NoTransactionException as {@link #enqueue}
   * @throws MessageRefusedException as {@link #enqueue}, naming the message's place in the list. If
   *     an id of a list of several is still in the table, the transaction is marked for rollback
   * @throws BacklogFullException as {@link #enqueue}
   * @throws OutboxException as {@link #enqueue}
   */
  List<UUID> enqueueAll(List<OutboxMessage> messages);
}
