package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.RecordedFailures;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recorded failures of handlers. Of a message's charged failures the first and the last ten are
 * kept, of those that are not charged only the last one of each kind: {@code attempt} is the number
 * of all its failures, and {@code times} the number of that kind. Failures from before a redrive
 * are history and count no longer. Thread-safe.
 */
public final class FailureStore {
  static final String REASON = "reason";

  private final SealedTexts texts;
  private final String insert;
  private final String deleteOlder;
  private final String deleteMiddle;
  private final String sofar;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param texts converts reasons to columns and back
   */
  public FailureStore(Dialect dialect, TableNames tables, SealedTexts texts) {
    this.texts = texts;
    String table = tables.qualified("inbox_failure");
    // A concurrent transaction may compute the same number, which is still a later one.
    insert =
        """
        INSERT INTO %1$s
          (consumer, message_id, attempt, kind, wait_millis, reason, sealed_reason, signature,
           node, error_class, frame, aggregate_type, aggregate_id, aggregate_version, data_subject,
           times)
        SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR),
          LEAST(GREATEST(COUNT(*), COALESCE(MAX(attempt), 0), CAST(? AS INTEGER)), %2$s) + 1,
          CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
          CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
          CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS VARCHAR),
          LEAST(COALESCE(MAX(CASE WHEN kind = CAST(? AS VARCHAR) THEN times END), 0), %2$s) + 1
        FROM %1$s
        WHERE consumer = ? AND message_id = ? AND NOT redriven
        """
            .formatted(table, Integer.MAX_VALUE - 1);
    deleteOlder =
        """
        DELETE FROM %s
        WHERE consumer = ? AND message_id = ? AND NOT redriven AND id < ? AND kind = ?
        """
            .formatted(table);
    deleteMiddle =
        """
        DELETE FROM %s
        WHERE consumer = ? AND message_id = ? AND NOT redriven AND kind = ?
          AND times > 1 AND times <= ?
        """
            .formatted(table);
    sofar =
        """
        SELECT GREATEST(COUNT(*) OVER (), MAX(attempt) OVER ()),
          GREATEST(SUM(CASE WHEN kind = 'FAILED' THEN 1 ELSE 0 END) OVER (),
            MAX(CASE WHEN kind = 'FAILED' THEN times ELSE 0 END) OVER ()),
          MIN(CASE WHEN kind = 'REJECTED' THEN reason END) OVER (),
          reason, wait_millis, failed_at, %s,
          MAX(CASE WHEN kind = 'TRANSIENT' THEN times ELSE 0 END) OVER (),
          MIN(CASE WHEN kind = 'REJECTED' THEN signature END) OVER (), signature,
          MIN(CASE WHEN kind = 'REJECTED' THEN sealed_reason END) OVER (), sealed_reason
        FROM %s
        WHERE consumer = ? AND message_id = ? AND NOT redriven
        ORDER BY id DESC
        FETCH FIRST ROW ONLY
        """
            .formatted(dialect.now(), table);
  }

  /**
   * Records a failure.
   *
   * @param node the name of this process
   */
  public void insert(Connection connection, String node, Failure failure) throws SQLException {
    Duration pause = failure.pause();
    Subject subject = failure.subject();
    // The failure has to count even if its reason cannot be encrypted.
    Stored reason =
        texts.sealOrLeaveOut(
            Place.failure(failure.consumer(), failure.messageId()), REASON, failure.reason());
    Inserted row =
        Sql.insert(
            connection,
            insert,
            List.of("id", "times"),
            inserted -> new Inserted(inserted.getLong(1), inserted.getInt(2)),
            failure.consumer(),
            failure.messageId(),
            failure.waitedFor(),
            failure.kind().name(),
            pause == null ? null : pause.toMillis(),
            reason.clearOrEmpty(),
            reason.sealed(),
            failure.error().signature(),
            node,
            failure.error().errorClass(),
            failure.error().frame(),
            subject == null ? null : subject.type(),
            subject == null ? null : subject.id(),
            subject == null ? null : subject.version(),
            failure.dataSubject(),
            failure.kind().name(),
            failure.consumer(),
            failure.messageId());
    if (failure.kind().replacesItself()) {
      Sql.update(
          connection,
          deleteOlder,
          failure.consumer(),
          failure.messageId(),
          row.id(),
          failure.kind().name());
    } else if (row.times() > RecordedFailures.LATEST + 1) {
      Sql.update(
          connection,
          deleteMiddle,
          failure.consumer(),
          failure.messageId(),
          failure.kind().name(),
          row.times() - RecordedFailures.LATEST);
    }
  }

  /** What the database has set of a failure's row. */
  private record Inserted(long id, int times) {}

  /** The recorded failures with a message; reads one row, however many there are. */
  public Failures of(Connection connection, String consumer, String messageId) throws SQLException {
    return Sql.first(
            connection,
            sofar,
            row -> failures(Place.failure(consumer, messageId), row),
            consumer,
            messageId)
        .orElse(Failures.NONE);
  }

  private Failures failures(Place place, ResultSet row) throws SQLException {
    String rejection = row.getString(3);
    boolean isRejected = rejection != null;
    String last = isRejected ? rejection : row.getString(4);
    String sealed = row.getString(isRejected ? 11 : 12);
    return new Failures(
        row.getInt(1),
        row.getInt(2),
        row.getInt(8),
        texts.openOrTell(place, REASON, last, sealed),
        row.getString(isRejected ? 9 : 10),
        pause(row),
        isRejected,
        Duration.between(
            row.getObject(6, OffsetDateTime.class), row.getObject(7, OffsetDateTime.class)));
  }

  private static @Nullable Duration pause(ResultSet row) throws SQLException {
    long millis = row.getLong(5);
    return row.wasNull() ? null : Duration.ofMillis(millis);
  }
}
