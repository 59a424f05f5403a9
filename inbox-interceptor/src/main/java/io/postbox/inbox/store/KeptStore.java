package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.store.KeptContents.Columns;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Writes kept messages, in the transaction in which a delivery is handled. Thread-safe. */
public final class KeptStore {
  private final Dialect dialect;
  private final KeptContents contents;
  private final String quarantine;
  private final String park;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param contents converts contents to columns
   */
  public KeptStore(Dialect dialect, TableNames tables, KeptContents contents) {
    this.dialect = dialect;
    this.contents = contents;
    quarantine =
        """
        INSERT INTO %s
          (consumer, message_id, reason, fingerprint, fingerprint_version,
           stored_fingerprint, stored_fingerprint_version, destination, reply_to, size,
           aggregate_type, aggregate_id, data_subject,
           %s)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(
                tables.qualified("inbox_quarantine"), Columns.NAMES, dialect.onConflictDoNothing());
    park =
        """
        INSERT INTO %s
          (consumer, message_id, reason, error, sealed_error, signature, attempts, source, event_type,
           aggregate_type, aggregate_id, aggregate_version, data_subject,
           fingerprint, fingerprint_version, destination, reply_to, size,
           %s)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(
                tables.qualified("inbox_parked"), Columns.NAMES, dialect.onConflictDoNothing());
  }

  /**
   * Quarantines a delivery, unless one with its id and content is quarantined already.
   *
   * @return whether a row was inserted
   */
  public boolean quarantine(Connection connection, Quarantined quarantined) throws SQLException {
    Delivery delivery = quarantined.delivery();
    try (PreparedStatement statement = connection.prepareStatement(quarantine)) {
      statement.setString(1, delivery.consumer());
      statement.setString(2, quarantined.messageId());
      statement.setString(3, quarantined.reason().name());
      Fingerprinted.set(statement, 4, delivery.fingerprint());
      Fingerprinted.set(statement, 6, quarantined.stored());
      statement.setString(8, delivery.destination());
      statement.setString(9, delivery.replyTo());
      Place place =
          Place.kept(
              Kind.QUARANTINED,
              delivery.consumer(),
              quarantined.messageId(),
              delivery.fingerprint());
      Content content = delivery.content().get();
      statement.setLong(10, content.size());
      Subject subject = delivery.subject();
      statement.setString(11, subject == null ? null : subject.type());
      statement.setString(12, subject == null ? null : subject.id());
      statement.setString(13, delivery.dataSubject());
      contents.seal(place, content).bind(statement, 14);
      return dialect.insertIfAbsent(statement);
    }
  }

  /**
   * Parks a message, unless it is parked already.
   *
   * @return whether a row was inserted
   */
  public boolean park(Connection connection, Parked parked) throws SQLException {
    Delivery delivery = parked.delivery();
    try (PreparedStatement statement = connection.prepareStatement(park)) {
      statement.setString(1, delivery.consumer());
      statement.setString(2, parked.messageId());
      statement.setString(3, parked.reason().name());
      Place place =
          Place.kept(Kind.PARKED, delivery.consumer(), parked.messageId(), delivery.fingerprint());
      Stored error = contents.texts().seal(place, SealedTexts.ERROR, parked.error());
      statement.setString(4, error.clearOrEmpty());
      statement.setString(5, error.sealed());
      statement.setString(6, parked.signature());
      statement.setInt(7, parked.attempts());
      statement.setString(8, delivery.source());
      statement.setString(9, delivery.eventType());
      set(statement, 10, delivery.subject());
      statement.setString(13, delivery.dataSubject());
      Fingerprinted.set(statement, 14, delivery.fingerprint());
      statement.setString(16, delivery.destination());
      statement.setString(17, delivery.replyTo());
      Content content = delivery.content().get();
      statement.setLong(18, content.size());
      contents.seal(place, content).bind(statement, 19);
      return dialect.insertIfAbsent(statement);
    }
  }

  private static void set(PreparedStatement statement, int index, @Nullable Subject subject)
      throws SQLException {
    statement.setString(index, subject == null ? null : subject.type());
    statement.setString(index + 1, subject == null ? null : subject.id());
    statement.setObject(index + 2, subject == null ? null : subject.version(), Types.BIGINT);
  }
}
