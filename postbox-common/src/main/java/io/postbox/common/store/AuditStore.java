package io.postbox.common.store;

import io.postbox.common.config.Durations;
import io.postbox.common.config.TableNames;
import io.postbox.common.text.Storable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/** Records operators' actions, in the transaction of the action. Thread-safe. */
public final class AuditStore {
  private static final int LONGEST_SUBJECT = 2_000;
  private static final int LONGEST_PRINCIPAL = 200;

  /** To have the audit of a whole year after its end; operators write few rows. */
  private static final Duration SHORTEST_RETENTION = Duration.ofDays(400);

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

  /** How long the records of a module are kept that keeps messages for so long. */
  public static Duration kept(Duration retention) {
    return Durations.longer(SHORTEST_RETENTION, retention);
  }

  /** Deletes a module's oldest records, from before a time and up to a number. */
  public static String deleteOld(Dialect dialect, String module, TableNames tables) {
    return dialect.deleteSome(
        tables.qualified("postbox_audit"), "module = '%s' AND at < ?".formatted(module), "at");
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

  /** Records that an action has begun, and how many messages it has changed so far. */
  public void write(Connection connection, Entry entry, long messages) throws SQLException {
    Sql.update(
        connection,
        insert,
        entry.id(),
        module,
        service,
        entry.action(),
        entry.principal(),
        entry.reason(),
        entry.subject(),
        messages);
  }

  /**
   * Records that an action has changed more messages.
   *
   * @param id of its row
   */
  public void add(Connection connection, UUID id, long messages) throws SQLException {
    Sql.update(connection, add, messages, id);
  }
}
