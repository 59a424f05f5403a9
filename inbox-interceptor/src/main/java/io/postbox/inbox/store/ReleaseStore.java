package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The messages that are released, because their turn in the order of versions has come. */
public final class ReleaseStore {
  private final KeptContents contents;
  private final String due;
  private final String claim;
  private final String giveUp;

  /**
   * @param tables where the tables are
   * @param contents encrypts errors, if there is a cipher
   */
  public ReleaseStore(TableNames tables, KeptContents contents) {
    this.contents = contents;
    String table = tables.qualified("inbox_parked");
    due =
        """
        SELECT id FROM %s
        WHERE consumer = ? AND released
        ORDER BY consumer, id
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(table);
    claim =
        "SELECT id FROM %s WHERE consumer = ? AND id = ? AND released FOR UPDATE SKIP LOCKED"
            .formatted(table);
    giveUp =
        "UPDATE %s SET released = FALSE, reason = ?, error = ?, sealed_error = ? WHERE id = ?"
            .formatted(table);
  }

  /** The messages of a consumer that are to be sent, the first one first, without a lock. */
  public List<Long> due(Connection connection, String consumer, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(due)) {
      statement.setString(1, consumer);
      statement.setInt(2, limit);
      List<Long> ids = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.add(row.getLong(1));
        }
      }
      return ids;
    }
  }

  /** Locks a message until the transaction ends, unless another one has, or it is gone. */
  public boolean claim(Connection connection, String consumer, long id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(claim)) {
      statement.setString(1, consumer);
      statement.setLong(2, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /**
   * Leaves a claimed message, which cannot be sent, to an operator.
   *
   * @param error why
   */
  public void giveUp(Connection connection, long id, KeptRows.Row row, String error)
      throws SQLException {
    Stored sealed = contents.texts().seal(row.place(Kind.PARKED), SealedTexts.ERROR, error);
    try (PreparedStatement statement = connection.prepareStatement(giveUp)) {
      statement.setString(1, ParkReason.NOT_RELEASED.name());
      statement.setString(2, sealed.clearOrEmpty());
      statement.setString(3, sealed.sealed());
      statement.setLong(4, id);
      statement.executeUpdate();
    }
  }
}
