package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Signatures;
import io.postbox.common.store.Signatures.Source;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The API's view of recorded failures. Reads only, by index look-ups. Thread-safe. */
public final class FailureViews {
  static final String COLUMNS =
      """
      f.consumer, f.message_id, f.attempt, f.kind, f.times, f.redriven, f.node, f.failed_at,
      f.error_class, f.reason, f.sealed_reason, f.frame, f.signature\
      """;

  private final SealedTexts texts;
  private final String history;
  private final String last;
  private final Signatures signatures;
  private final String counts;
  private final String latest;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param contents decrypts the recorded errors
   */
  public FailureViews(Dialect dialect, TableNames tables, KeptContents contents) {
    texts = contents.texts();
    String failure = tables.qualified("inbox_failure");
    String parked = tables.qualified("inbox_parked");
    history =
        """
        SELECT %s
        FROM %s f
        WHERE f.consumer = ? AND f.message_id = ?
        ORDER BY f.consumer, f.message_id, f.id
        """
            .formatted(COLUMNS, failure);
    last =
        """
        SELECT %s
        FROM %s f
        WHERE f.consumer = ? AND f.message_id = ?
        ORDER BY f.consumer DESC, f.message_id DESC, f.id DESC
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(COLUMNS, failure);
    signatures =
        new Signatures(dialect, List.of(new Source(failure, "TRUE"), new Source(parked, "TRUE")));
    counts =
        """
        SELECT
          (SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM %1$s WHERE %3$s FETCH FIRST %4$s ROWS ONLY) r),
          (SELECT failed_at FROM %1$s WHERE %3$s, failed_at FETCH FIRST 1 ROW ONLY),
          (SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM %2$s WHERE %3$s FETCH FIRST %4$s ROWS ONLY) p)
        """
            .formatted(failure, parked, Signatures.ONE, FailureGroup.MOST_COUNTED);
    latest =
        """
        SELECT %s
        FROM %s f
        WHERE %s DESC, failed_at DESC
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(COLUMNS, failure, Signatures.ONE);
  }

  /** The recorded failures of a message, in their order. */
  public List<FailedAttempt> history(Connection connection, String consumer, String messageId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(history)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      List<FailedAttempt> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(attempt(row));
        }
      }
      return found;
    }
  }

  /** The last recorded failure of a message. */
  Optional<FailedAttempt> last(Connection connection, String consumer, String messageId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(last)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(attempt(row)) : Optional.empty();
      }
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
    for (int parameter = 1; parameter <= 6; parameter++) {
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
          row.getLong(3));
    }
  }

  /** The failure in a row with all columns. */
  FailedAttempt attempt(ResultSet row) throws SQLException {
    String consumer = row.getString("consumer");
    String messageId = row.getString("message_id");
    return new FailedAttempt(
        consumer,
        messageId,
        row.getInt("attempt"),
        FailedAttempt.Kind.valueOf(row.getString("kind")),
        row.getInt("times"),
        row.getBoolean("redriven"),
        row.getString("node"),
        row.getObject("failed_at", OffsetDateTime.class).toInstant(),
        row.getString("error_class"),
        texts.openOrTell(
            Place.failure(consumer, messageId),
            FailureStore.REASON,
            row.getString("reason"),
            row.getString("sealed_reason")),
        row.getString("frame"),
        row.getString("signature"));
  }
}
