package io.postbox.outbox.payload;

import io.postbox.common.log.Causes;
import io.postbox.outbox.PayloadUnavailableException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;
import javax.naming.NamingException;

/**
 * Classifies the failures of a loader in one table: is its source unavailable, so that any other
 * load would fail as well, or is this message at fault?
 */
final class LoaderFailureClassifier {
  private static final List<Class<? extends Exception>> TYPES =
      List.of(
          PayloadUnavailableException.class,
          SQLTransientException.class, // also a lock or a time-out, which pass
          SQLRecoverableException.class,
          SQLNonTransientConnectionException.class,
          NamingException.class,
          ConnectException.class,
          NoRouteToHostException.class,
          UnknownHostException.class);

  /**
   * Connection; no resources; shut down, as PostgreSQL says it; files that cannot be read or
   * written (58030; H2: 90028, 90031); H2 without memory (90108).
   */
  private static final List<String> SQL_STATES =
      List.of("08", "53", "57P", "58030", "90028", "90031", "90108");

  private LoaderFailureClassifier() {}

  /** Whether it, or what caused it, is such a failure. */
  static boolean isUnavailable(Throwable failed) {
    return Causes.of(failed).anyMatch(LoaderFailureClassifier::saysSo);
  }

  private static boolean saysSo(Throwable failed) {
    if (TYPES.stream().anyMatch(type -> type.isInstance(failed))) {
      return true;
    }
    return failed instanceof SQLException sql
        && sql.getSQLState() != null
        && SQL_STATES.stream().anyMatch(sql.getSQLState()::startsWith);
  }
}
