package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.DistinctValues.Source;
import io.postbox.common.store.RecordedFailures;
import io.postbox.common.store.Sql;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The failures of deliveries. */
public final class FailureViews extends RecordedFailures<FailedAttempt, FailureGroup> {
  static final String COLUMNS =
      """
      f.consumer, f.message_id, f.attempt, f.kind, f.times, f.redriven, f.node, f.failed_at,
      f.error_class, f.reason, f.sealed_reason, f.frame, f.signature\
      """;

  private final SealedTexts texts;
  private final String last;

  public FailureViews(Dialect dialect, TableNames tables, KeptContents contents) {
    super(
        dialect,
        COLUMNS,
        tables.qualified("inbox_failure"),
        "f.consumer = ? AND f.message_id = ? ORDER BY f.consumer, f.message_id, f.id",
        List.of(new Source(tables.qualified("inbox_stored"), "status = 'PARKED'")));
    texts = contents.texts();
    last =
        """
        SELECT %s
        FROM %s f
        WHERE f.consumer = ? AND f.message_id = ?
        ORDER BY f.consumer DESC, f.message_id DESC, f.id DESC
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(COLUMNS, tables.qualified("inbox_failure"));
  }

  /** The last recorded failure of a message. */
  Optional<FailedAttempt> last(Connection connection, String consumer, String messageId)
      throws SQLException {
    return Sql.first(connection, last, this::attempt, consumer, messageId);
  }

  @Override
  protected FailureGroup group(
      String signature,
      long failures,
      Optional<Instant> first,
      Optional<FailedAttempt> latest,
      List<Long> messages) {
    return new FailureGroup(signature, failures, first, latest, messages.get(0));
  }

  @Override
  protected FailedAttempt attempt(ResultSet row) throws SQLException {
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
        Sql.instant(row, "failed_at"),
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
