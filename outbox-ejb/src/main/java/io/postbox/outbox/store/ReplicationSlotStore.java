package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The statements of {@code relay.mode=cdc}, where a connector reads the inserts of messages from a
 * logical replication slot of PostgreSQL. Thread-safe.
 */
public final class ReplicationSlotStore {
  /**
   * A slot that carries everything that is written from now on: of this database, not the session's
   * own, past the point from which it decodes, and with its log still there.
   */
  private static final String CARRIES =
      """
      s.slot_name = ? AND s.slot_type = 'logical' AND s.database = current_database()
        AND NOT s.temporary AND s.confirmed_flush_lsn IS NOT NULL AND s.wal_status <> 'lost'\
      """;

  private final String slot;
  private final String delete;
  private final String lag;

  /**
   * @param tables where the tables are
   * @param slot the name of the connector's slot
   */
  public ReplicationSlotStore(TableNames tables, String slot) {
    this.slot = slot;
    delete =
        """
        DELETE FROM %s WHERE id = ANY (?)
          AND EXISTS (SELECT 1 FROM pg_replication_slots s WHERE %s)
        """
            .formatted(tables.qualified("outbox_message"), CARRIES);
    lag =
        """
        SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)
        FROM pg_replication_slots s WHERE %s
        """
            .formatted(CARRIES);
  }

  /** The slot's name. */
  public String slot() {
    return slot;
  }

  /**
   * Deletes messages that the connection's transaction has inserted; their inserts stay in the log.
   * All of them or, if there is no slot that carries them, none.
   *
   * @return whether they were deleted; if not, the transaction must not commit
   */
  public boolean deleteInserted(Connection connection, List<UUID> ids) throws SQLException {
    return Sql.update(connection, delete, Sql.ids(ids), slot) == ids.size();
  }

  /**
   * How many bytes of the log the connector has not confirmed; empty if there is no slot that
   * carries what is written.
   */
  public Optional<Long> lag(Connection connection) throws SQLException {
    return Sql.first(connection, lag, row -> Math.max(0, row.getLong(1)), slot);
  }
}
