package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Discards parked messages, in one transaction. Thread-safe. */
public final class DiscardStore {
  private final String lock;
  private final String existing;
  private final String remember;
  private final String passOver;
  private final String aggregates;

  /**
   * @param tables where the tables are
   */
  public DiscardStore(TableNames tables) {
    String parked = tables.qualified("inbox_parked");
    String message = tables.qualified("inbox_message");
    lock =
        """
        SELECT m.id, m.consumer, m.message_id,
          EXISTS (SELECT 1 FROM %s c
                  WHERE c.consumer = m.consumer AND c.message_id = m.message_id)
        FROM %s m
        WHERE %s
        ORDER BY m.id
        FOR UPDATE%%s
        """
            .formatted(tables.qualified("inbox_captured"), parked, KeptIds.CONDITION);
    existing = "SELECT m.id FROM %s m WHERE %s ORDER BY m.id".formatted(parked, KeptIds.CONDITION);
    aggregates =
        """
        SELECT m.id, m.consumer, m.aggregate_type, m.aggregate_id
        FROM %s m
        WHERE %s
          AND m.aggregate_type IS NOT NULL
          AND m.aggregate_id IS NOT NULL
          AND m.aggregate_version IS NOT NULL
        ORDER BY m.id
        """
            .formatted(parked, KeptIds.CONDITION);
    // Fails if another transaction inserts one of these at the same time; the caller retries.
    remember =
        """
        INSERT INTO %1$s
          (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome)
        SELECT m.consumer, m.message_id, m.source, m.fingerprint, m.fingerprint_version, '{}',
          'DISCARDED'
        FROM %2$s m
        WHERE %3$s
          AND NOT EXISTS (SELECT 1 FROM %1$s d
                          WHERE d.consumer = m.consumer AND d.message_id = m.message_id)
        """
            .formatted(message, parked, KeptIds.CONDITION);
    passOver =
        """
        INSERT INTO %1$s (consumer, aggregate_type, aggregate_id, version)
        SELECT DISTINCT m.consumer, m.aggregate_type, m.aggregate_id, m.aggregate_version
        FROM %2$s m
        WHERE %3$s
          AND m.aggregate_type IS NOT NULL
          AND m.aggregate_id IS NOT NULL
          AND m.aggregate_version IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM %1$s d
                          WHERE d.consumer = m.consumer
                            AND d.aggregate_type = m.aggregate_type
                            AND d.aggregate_id = m.aggregate_id
                            AND d.version = m.aggregate_version)
        """
            .formatted(tables.qualified("inbox_discarded"), parked, KeptIds.CONDITION);
  }

  /**
   * A parked message.
   *
   * @param id the id of its row
   * @param consumer its consumer
   * @param messageId the message's id
   * @param isCaptured whether it has a place among the captured messages
   */
  public record Locked(long id, String consumer, String messageId, boolean isCaptured) {}

  /**
   * How far a discard has come with some messages: another transaction has the next one.
   *
   * @param discarded how many were discarded
   * @param through how many of them, the first ones, are discarded or were gone; at least one
   */
  public record Done(int discarded, int through) {}

  /**
   * A parked message about an aggregate.
   *
   * @param row the id of its row
   */
  public record About(long row, String consumer, String type, String id) {}

  /**
   * The aggregates that parked messages are about, in the order of the messages.
   *
   * @param ids not empty
   */
  public List<About> aggregates(Connection connection, Collection<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(aggregates)) {
      KeptIds.bind(statement, 1, ids);
      List<About> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(
              new About(row.getLong(1), row.getString(2), row.getString(3), row.getString(4)));
        }
      }
      return found;
    }
  }

  /** Those of these messages that still exist, in order, without a lock. */
  public List<Long> existing(Connection connection, Collection<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(existing)) {
      KeptIds.bind(statement, 1, ids);
      List<Long> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(row.getLong(1));
        }
      }
      return found;
    }
  }

  /**
   * Locks those of these messages that still exist, until the transaction ends.
   *
   * @param ids not empty
   * @param waits whether to wait for those that other transactions have; they are left out
   *     otherwise
   */
  public List<Locked> lock(Connection connection, Collection<Long> ids, boolean waits)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(lock.formatted(waits ? "" : " SKIP LOCKED"))) {
      KeptIds.bind(statement, 1, ids);
      List<Locked> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(
              new Locked(row.getLong(1), row.getString(2), row.getString(3), row.getBoolean(4)));
        }
      }
      return found;
    }
  }

  /**
   * Records that parked messages were discarded, unless they were handled meanwhile.
   *
   * @param ids not empty, with one row for each message
   */
  public void remember(Connection connection, Collection<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(remember)) {
      KeptIds.bind(statement, 1, ids);
      statement.executeUpdate();
    }
  }

  /**
   * Lets version order pass over the aggregates' versions of parked messages.
   *
   * @param ids not empty
   */
  public void passOver(Connection connection, Collection<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(passOver)) {
      KeptIds.bind(statement, 1, ids);
      statement.executeUpdate();
    }
  }
}
