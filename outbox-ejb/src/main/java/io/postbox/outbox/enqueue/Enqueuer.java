package io.postbox.outbox.enqueue;

import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.ReplicationSlotStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Prepares messages and writes them. Thread-safe. */
public final class Enqueuer {
  private final MessageStore store;
  private final MessagePreparation preparation;
  private final Optional<ReplicationSlotStore> slot;

  /**
   * @param store where the rows go
   * @param clock the time for new ids and for limits in the future
   * @param partitions how many partitions there are
   * @param encoder encodes payloads
   */
  public Enqueuer(MessageStore store, InstantSource clock, int partitions, PayloadEncoder encoder) {
    this(store, clock, partitions, encoder, Destinations.ANY, Optional.empty(), Optional.empty());
  }

  /**
   * @param store where the rows go
   * @param clock the time for new ids and for limits in the future
   * @param partitions how many partitions there are
   * @param encoder encodes payloads
   * @param destinations which there are
   * @param slot the connector's, if no node relays
   * @param dataSubjects makes the digests that stand for persons, if configured
   */
  public Enqueuer(
      MessageStore store,
      InstantSource clock,
      int partitions,
      PayloadEncoder encoder,
      Destinations destinations,
      Optional<ReplicationSlotStore> slot,
      Optional<DataSubjectKey> dataSubjects) {
    this.store = store;
    this.preparation =
        new MessagePreparation(
            clock, partitions, encoder, destinations, slot.isPresent(), dataSubjects);
    this.slot = slot;
  }

  /**
   * Checks a message and gives it an id, unless it has one, and its partition. Nothing is written.
   *
   * @throws MessageRefusedException if it could not be stored or sent as it is
   */
  public NewMessage prepare(OutboxMessage message) {
    return preparation.prepare(message);
  }

  /**
   * Prepares the messages of one call, in their order.
   *
   * @throws MessageRefusedException as {@link MessagePreparation#prepareAll}
   */
  public List<NewMessage> prepareAll(List<OutboxMessage> messages) {
    return preparation.prepareAll(messages);
  }

  /**
   * The exception for the caller when the database refused messages.
   *
   * @param messages the messages that could not be written
   * @param failed the exception of {@link #write}
   */
  public static OutboxException refused(List<OutboxMessage> messages, SQLException failed) {
    return new OutboxException(
        "The database %s %s: %s. The transaction has to roll back."
            .formatted(
                Dialect.isReadOnly(failed)
                    ? "is read-only at the moment (a standby after a failover, a full disk, or"
                        + " default_transaction_read_only) and refused"
                    : "refused",
                messages,
                OutboxLog.EXCEPTIONS.of(failed)),
        failed);
  }

  /**
   * Writes placed messages in the order of the list on the caller's connection.
   *
   * @param fresh whether none of them had an id of the caller's
   * @throws MessageRefusedException if an id is in the table already; the messages before it in the
   *     list are written, so that the transaction must not commit if there is more than one
   * @throws UncapturedException if no connector would read them; the transaction must not commit
   */
  public void write(Connection connection, List<NewMessage> messages, boolean fresh)
      throws SQLException {
    if (fresh) {
      store.insertFresh(connection, messages);
    } else {
      insertOneByOne(connection, messages);
    }
    leaveToConnector(connection, messages);
  }

  private void insertOneByOne(Connection connection, List<NewMessage> messages)
      throws SQLException {
    for (int i = 0; i < messages.size(); i++) {
      if (!store.insert(connection, messages.get(i))) {
        leaveToConnector(connection, messages.subList(0, i)); // an own transaction may commit them
        throw MessagePreparation.alreadyThere(messages, i);
      }
    }
  }

  /** Their inserts are in the log, and no relay needs their rows. */
  private void leaveToConnector(Connection connection, List<NewMessage> written)
      throws SQLException {
    if (slot.isPresent()
        && !written.isEmpty()
        && !slot.get()
            .deleteInserted(connection, written.stream().map(it -> it.envelope().id()).toList())) {
      throw new UncapturedException(written, slot.get().slot());
    }
  }
}
