package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The ids of completed messages, in the transaction in which a delivery is handled. Thread-safe.
 */
public final class InboxStore {
  private static final String H2_GAVE_UP = "HYT00";

  private final Dialect dialect;
  private final String insertIfAbsent;
  private final String fingerprintOf;
  private final String describe;

  public InboxStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_message");
    insertIfAbsent =
        """
        INSERT INTO %s
          (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome,
           data_subject)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(table, dialect.onConflictDoNothing());
    fingerprintOf =
        """
        SELECT fingerprint, fingerprint_version FROM %s WHERE consumer = ? AND message_id = ?
        """
            .formatted(table);
    describe =
        """
        UPDATE %s SET headers = ? WHERE consumer = ? AND message_id = ?
        """
            .formatted(table);
  }

  /**
   * Inserts a message's id unless it exists; then the transaction is unchanged. Waits for another
   * transaction that has inserted the same id and has not ended.
   *
   * @return whether a row was inserted
   */
  public boolean insertIfAbsent(
      Connection connection, Delivery delivery, String messageId, Outcome outcome)
      throws SQLException {
    return dialect.insertIfAbsent(
        connection,
        insertIfAbsent,
        delivery.consumer(),
        messageId,
        delivery.source(),
        Fingerprinted.values(delivery.fingerprint()),
        delivery.headers(),
        outcome.name(),
        delivery.dataSubject());
  }

  /**
   * Inserts a message's id unless it exists, and waits only for so long for another transaction
   * that has inserted it. Later statements of the transaction wait as they would have before.
   *
   * @param patience from 1 ms, on PostgreSQL; H2's URL sets the limit
   * @return whether a row was inserted; empty if the other transaction has not ended, and this one
   *     has to be rolled back
   */
  public Optional<Boolean> insertIfAbsentWithin(
      Connection connection,
      Delivery delivery,
      String messageId,
      Outcome outcome,
      Duration patience)
      throws SQLException {
    String wait = dialect.waitForLocks(patience);
    try {
      Sql.execute(connection, wait);
      boolean inserted = insertIfAbsent(connection, delivery, messageId, outcome);
      Sql.execute(connection, wait.isEmpty() ? "" : "SET LOCAL lock_timeout TO DEFAULT");
      return Optional.of(inserted);
    } catch (SQLException failed) {
      if (dialect.gaveUpWaiting(failed) || H2_GAVE_UP.equals(failed.getSQLState())) {
        return Optional.empty();
      }
      throw failed;
    }
  }

  /** The fingerprint of the body that was handled under an id; empty if there is no such row. */
  public Optional<Fingerprint> fingerprintOf(
      Connection connection, String consumer, String messageId) throws SQLException {
    return Sql.first(
        connection, fingerprintOf, row -> Fingerprinted.get(row, 1), consumer, messageId);
  }

  /**
   * Says more about a message whose id this transaction has inserted.
   *
   * @param headers a JSON object with texts, up to 10,000 characters
   * @return whether there is such a row
   */
  public boolean describe(Connection connection, String consumer, String messageId, String headers)
      throws SQLException {
    return Sql.update(connection, describe, headers, consumer, messageId) == 1;
  }
}
