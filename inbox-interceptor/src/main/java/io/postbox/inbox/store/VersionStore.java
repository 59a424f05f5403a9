package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.message.Aggregate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;

/** The place of each aggregate in a consumer's version order. Thread-safe. */
public final class VersionStore {
  private final Dialect dialect;
  private final String lock;
  private final String insertIfAbsent;
  private final String discarded;
  private final String moveOn;
  private final String forget;

  /**
   * The place of an aggregate.
   *
   * @param version the version that was handled last
   * @param isNew whether its row was inserted by this transaction
   */
  public record Place(long version, boolean isNew) {}

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public VersionStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_aggregate");
    lock =
        """
        SELECT version FROM %s
        WHERE consumer = ? AND aggregate_type = ? AND aggregate_id = ?
        FOR UPDATE
        """
            .formatted(table);
    insertIfAbsent =
        """
        INSERT INTO %s (consumer, aggregate_type, aggregate_id, version)
        VALUES (?, ?, ?, ?)
        %s
        """
            .formatted(table, dialect.onConflictDoNothing());
    discarded =
        """
        SELECT COUNT(*) FROM %s
        WHERE consumer = ? AND aggregate_type = ? AND aggregate_id = ?
          AND version > ? AND version < ?
        """
            .formatted(tables.qualified("inbox_discarded"));
    moveOn =
        """
        UPDATE %s SET version = ?, changed_at = %s
        WHERE consumer = ? AND aggregate_type = ? AND aggregate_id = ?
        """
            .formatted(table, dialect.now());
    forget =
        "DELETE FROM %s WHERE consumer = ? AND aggregate_type = ? AND aggregate_id = ?"
            .formatted(table);
  }

  /** Deletes the row of an aggregate that this transaction has inserted and not changed. */
  public void forget(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(forget)) {
      statement.setString(1, consumer);
      statement.setString(2, aggregate.type());
      statement.setString(3, aggregate.id());
      statement.executeUpdate();
    }
  }

  /**
   * Locks an aggregate's place until the transaction ends.
   *
   * @param aggregate which one
   * @param firstVersion the first version of an aggregate that is not known yet
   * @return its place
   */
  public Place lock(Connection connection, String consumer, Aggregate aggregate, long firstVersion)
      throws SQLException {
    OptionalLong known = lock(connection, consumer, aggregate);
    if (known.isPresent()) {
      return new Place(known.getAsLong(), false);
    }
    try (PreparedStatement statement = connection.prepareStatement(insertIfAbsent)) {
      statement.setString(1, consumer);
      statement.setString(2, aggregate.type());
      statement.setString(3, aggregate.id());
      statement.setLong(4, firstVersion - 1);
      if (dialect.insertIfAbsent(statement)) {
        return new Place(firstVersion - 1, true);
      }
    }
    return new Place(
        lock(connection, consumer, aggregate)
            .orElseThrow(
                () ->
                    new SQLException(
                        "the position of " + aggregate + " existed and was deleted meanwhile")),
        false);
  }

  private OptionalLong lock(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(lock)) {
      statement.setString(1, consumer);
      statement.setString(2, aggregate.type());
      statement.setString(3, aggregate.id());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  /**
   * Whether an operator has discarded every version between the last and an aggregate's.
   *
   * @param last the version that was handled last
   */
  public boolean allDiscarded(
      Connection connection, String consumer, Aggregate aggregate, long last) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(discarded)) {
      statement.setString(1, consumer);
      statement.setString(2, aggregate.type());
      statement.setString(3, aggregate.id());
      statement.setLong(4, last);
      statement.setLong(5, aggregate.version());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1) == aggregate.version() - last - 1;
      }
    }
  }

  /** Records the version of an aggregate, whose row is locked, as its last handled one. */
  public void moveOn(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(moveOn)) {
      statement.setLong(1, aggregate.version());
      statement.setString(2, consumer);
      statement.setString(3, aggregate.type());
      statement.setString(4, aggregate.id());
      statement.executeUpdate();
    }
  }
}
