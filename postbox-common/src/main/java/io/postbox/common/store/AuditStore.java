package io.postbox.common.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.text.Storable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Records operators' actions, in the transaction of the action. Thread-safe. */
public final class AuditStore {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final int LONGEST_SUBJECT = 2_000;
  private static final int LONGEST_PRINCIPAL = 200;

  private final String module;
  private final String service;
  private final String insert;
  private final String add;

  /**
   * @param module outbox or inbox
   * @param tables where the tables are
   * @param service which owns them
   */
  public AuditStore(String module, TableNames tables, String service) {
    this.module = module;
    this.service = service;
    String audit = tables.qualified("postbox_audit");
    insert =
        """
        INSERT INTO %s (id, module, service, action, principal, reason, subject, messages)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
            .formatted(audit);
    add = "UPDATE %s SET messages = messages + ? WHERE id = ?".formatted(audit);
  }

  /**
   * An action to be recorded.
   *
   * @param id of the row
   * @param action its name
   * @param principal the user who did it
   * @param reason why
   * @param subject to what
   */
  public record Entry(UUID id, String action, String principal, String reason, String subject) {
    /** Cuts the unbounded texts to the columns' lengths, and keeps each on one line. */
    public Entry {
      principal = Storable.line(principal, LONGEST_PRINCIPAL);
      subject = Storable.line(subject, LONGEST_SUBJECT);
    }
  }

  /** Whether {@link #write} failed because there is a row with this id: the action is on record. */
  public static boolean isOnRecord(SQLException failed) {
    return UNIQUE_VIOLATION.equals(failed.getSQLState());
  }

  /** Records that an action has begun, and how many messages it has changed so far. */
  public void write(Connection connection, Entry entry, long messages) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setObject(1, entry.id());
      statement.setString(2, module);
      statement.setString(3, service);
      statement.setString(4, entry.action());
      statement.setString(5, entry.principal());
      statement.setString(6, entry.reason());
      statement.setString(7, entry.subject());
      statement.setLong(8, messages);
      statement.executeUpdate();
    }
  }

  /** Records that an action has changed more messages. */
  public void add(Connection connection, Entry entry, long messages) throws SQLException {
    add(connection, entry.id(), messages);
  }

  /**
   * Records that an action has changed more messages.
   *
   * @param id of its row
   */
  public void add(Connection connection, UUID id, long messages) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(add)) {
      statement.setLong(1, messages);
      statement.setObject(2, id);
      statement.executeUpdate();
    }
  }
}
