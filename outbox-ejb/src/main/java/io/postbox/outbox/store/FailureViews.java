package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Signatures;
import io.postbox.common.store.Signatures.Source;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The API's view of recorded failures. Reads only, by index look-ups. Thread-safe. */
public final class FailureViews {
  private static final String COLUMNS =
      """
      f.message_id, f.failure_no, f.destination, f.attempt, f.dead, f.node, f.failed_at,
      f.error_class, f.error, f.frame, f.signature\
      """;

  private final StoredErrors errors;
  private final String history;
  private final Signatures signatures;
  private final String counts;
  private final String latest;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param errors decrypts the recorded errors
   */
  public FailureViews(Dialect dialect, TableNames tables, StoredErrors errors) {
    this.errors = errors;
    String failure = tables.qualified("outbox_failure");
    String message = tables.qualified("outbox_message");
    history =
        """
        SELECT %s
        FROM %s f
        WHERE f.message_id = ?
        ORDER BY f.failure_no
        """
            .formatted(COLUMNS, failure);
    signatures =
        new Signatures(
            dialect,
            List.of(
                new Source(failure, "TRUE"),
                new Source(message, "status = 'DEAD'"),
                new Source(message, "status = 'DELAYED'")));
    counts =
        """
        SELECT
          (SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM %1$s WHERE %3$s FETCH FIRST %4$s ROWS ONLY) r),
          (SELECT failed_at FROM %1$s WHERE %3$s, failed_at FETCH FIRST 1 ROW ONLY),
          (SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM %2$s
            WHERE status = 'DEAD' AND %3$s FETCH FIRST %4$s ROWS ONLY) d),
          (SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM %2$s
            WHERE status = 'DELAYED' AND %3$s FETCH FIRST %4$s ROWS ONLY) w)
        """
            .formatted(failure, message, Signatures.ONE, FailureGroup.MOST_COUNTED);
    latest =
        """
        SELECT %s
        FROM %s f
        WHERE %s DESC, failed_at DESC
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(COLUMNS, failure, Signatures.ONE);
  }

  /** The recorded failures of a message, in their order: the first one and the last ten. */
  public List<FailedAttempt> history(Connection connection, UUID messageId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(history)) {
      statement.setObject(1, messageId);
      List<FailedAttempt> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(attempt(row));
        }
      }
      return found;
    }
  }

  /**
   * Groups of failures in the order of their signatures: one statement for all, and two for each.
   *
   * @param after the signature after which to begin; empty for the first
   * @param size how many to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds
   */
  public List<FailureGroup> groups(Connection connection, String after, int size)
      throws SQLException {
    List<FailureGroup> groups = new ArrayList<>();
    try (PreparedStatement count = connection.prepareStatement(counts);
        PreparedStatement last = connection.prepareStatement(latest)) {
      for (String signature : signatures.page(connection, after, size)) {
        groups.add(group(signature, count, latest(signature, last)));
      }
    }
    return groups;
  }

  private Optional<FailedAttempt> latest(String signature, PreparedStatement statement)
      throws SQLException {
    statement.setString(1, signature);
    statement.setString(2, signature);
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(attempt(row)) : Optional.empty();
    }
  }

  private static FailureGroup group(
      String signature, PreparedStatement statement, Optional<FailedAttempt> latest)
      throws SQLException {
    for (int parameter = 1; parameter <= 8; parameter++) {
      statement.setString(parameter, signature);
    }
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return new FailureGroup(
          signature,
          row.getLong(1),
          Optional.ofNullable(row.getObject(2, OffsetDateTime.class))
              .map(OffsetDateTime::toInstant),
          latest,
          row.getLong(3),
          row.getLong(4));
    }
  }

  private FailedAttempt attempt(ResultSet row) throws SQLException {
    UUID id = row.getObject("message_id", UUID.class);
    int attempt = row.getInt("attempt");
    Instant at = row.getObject("failed_at", OffsetDateTime.class).toInstant();
    return new FailedAttempt(
        id,
        row.getInt("failure_no"),
        row.getString("destination"),
        attempt,
        row.getBoolean("dead"),
        row.getString("node"),
        at,
        row.getString("error_class"),
        errors.openOrTell(
            row.getString("destination"), row.getString("signature"), row.getString("error")),
        row.getString("frame"),
        row.getString("signature"));
  }
}
