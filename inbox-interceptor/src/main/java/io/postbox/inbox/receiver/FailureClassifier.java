package io.postbox.inbox.receiver;

import io.postbox.common.log.Causes;
import io.postbox.common.log.RecordedError;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.PoolTimeouts;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies why a handler's transaction was rolled back: a failure of the handler, a transient one
 * (a conflict, a shortage, a lost connection), or one of another consumer in the same transaction.
 */
final class FailureClassifier {
  static final int LONGEST_REASON = 2_000;

  /**
   * A failure, classified.
   *
   * @param kind its class
   * @param pause the delay that the handler asked for, if any
   * @param error the error to record
   */
  record Classification(Kind kind, @Nullable Duration pause, RecordedError error) {
    /** The text of the error. */
    String reason() {
      return error.text();
    }
  }

  /**
   * The database rolled back to resolve a conflict, or abandoned a statement or the wait for a
   * lock, which took too long. 90131 is H2's code for a row that another transaction is changing.
   */
  private static final Set<String> CONFLICTS = Set.of("55P03", "57014", "HYT00", "HYT01", "90131");

  /**
   * PostgreSQL is stopping, stopped, starting or read-only (25006: a standby after a failover, or a
   * managed database with a full disk); H2 is closed, closing, broken, locked or read-only (90097).
   */
  private static final Set<String> GONE =
      Set.of("57P01", "57P02", "57P03", "25006", "90020", "90067", "90097", "90098", "90121");

  /**
   * The database is short of a resource. PostgreSQL's class 53 is disk, memory or connections;
   * beyond that, PostgreSQL (58030) and H2 (90028, 90031) cannot use a file, or H2 has no memory
   * left (90108).
   */
  private static final Set<String> SHORTAGES = Set.of("58030", "90028", "90031", "90108");

  /** H2's only code for a commit on a full disk; the reason is in the exception's causes. */
  private static final int H2_GENERAL_ERROR = 50_000;

  private FailureClassifier() {}

  /** The handler returned, but another one in its transaction did not. */
  static Classification ofAnother() {
    return of(
        Kind.BYSTANDER,
        "The handler returned, and its transaction was rolled back because of another consumer in"
            + " it.");
  }

  /** A rollback for which the container gives no cause. */
  static Classification ofSilence(boolean markedBefore) {
    return of(
        Kind.FAILED,
        markedBefore
            ? "The handler returned, and its transaction could only roll back: it was marked for"
                + " rollback, or it timed out."
            : "The handler returned, and its transaction was rolled back at commit. The container"
                + " does not tell the inbox why: the cause is in the server's log, in the lines"
                + " of the same thread at that time.");
  }

  private static Classification of(Kind kind, String reason) {
    return new Classification(kind, null, RecordedError.of(reason));
  }

  /** Classifies the exception of a handler or of the commit. */
  static Classification classify(Throwable thrown) {
    RecordedError error = RecordedError.of(InboxLog.reason(thrown), thrown).cut(LONGEST_REASON);
    if (find(thrown, RejectedMessageException.class).isPresent()) {
      return new Classification(Kind.REJECTED, null, error);
    }
    Optional<RetryLaterException> later = find(thrown, RetryLaterException.class);
    if (later.isPresent()) {
      return new Classification(Kind.LATER, later.get().delay(), error);
    }
    boolean isNobodys =
        isDatabaseOutage(thrown)
            || PoolTimeouts.isOne(thrown)
            || Causes.of(thrown).anyMatch(cause -> isConflict(cause) || isShortage(cause));
    return new Classification(isNobodys ? Kind.TRANSIENT : Kind.FAILED, null, error);
  }

  /** Whether a database was unavailable, so that the handler is not at fault. */
  static boolean isDatabaseOutage(Throwable thrown) {
    return !PoolTimeouts.isOne(thrown)
        && Causes.of(thrown).anyMatch(FailureClassifier::isConnectionLost);
  }

  /**
   * Whether a statement was abandoned because it took too long, other than by waiting for a lock.
   */
  static boolean isTimeout(Throwable thrown) {
    return Causes.of(thrown)
        .anyMatch(
            cause ->
                cause instanceof SQLException sql
                    && !state(sql).equals("HYT00")
                    && (sql instanceof SQLTimeoutException || state(sql).equals("57014")));
  }

  private static boolean isConflict(Throwable thrown) {
    return thrown instanceof SQLTransactionRollbackException
        || thrown instanceof SQLTimeoutException
        || (thrown instanceof SQLException sql
            && (state(sql).startsWith("40") || CONFLICTS.contains(state(sql))));
  }

  private static boolean isConnectionLost(Throwable thrown) {
    return thrown instanceof SQLNonTransientConnectionException
        || thrown instanceof SQLTransientConnectionException
        || thrown instanceof SQLRecoverableException
        || (thrown instanceof SQLException sql
            && (state(sql).startsWith("08") || GONE.contains(state(sql))));
  }

  private static boolean isShortage(Throwable thrown) {
    return thrown instanceof SQLException sql
        && (state(sql).startsWith("53")
            || SHORTAGES.contains(state(sql))
            || (sql.getErrorCode() == H2_GENERAL_ERROR
                && find(sql, IOException.class).isPresent()));
  }

  private static String state(SQLException sql) {
    return String.valueOf(sql.getSQLState());
  }

  private static <T extends Throwable> Optional<T> find(Throwable thrown, Class<T> type) {
    return Causes.of(thrown).filter(type::isInstance).map(type::cast).findFirst();
  }
}
