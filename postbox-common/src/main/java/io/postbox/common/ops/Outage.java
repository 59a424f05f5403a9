package io.postbox.common.ops;

import io.postbox.common.log.Causes;
import io.postbox.common.store.Dialect;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.Set;

/** Tells a database that cannot be reached, or does not work at present, from a refusal. */
public final class Outage {
  /**
   * Connections, resources, and shutdowns. Not 57014, with which a database that works cancels a
   * statement that took too long: it would take as long the next time.
   */
  private static final Set<String> BEGINNINGS = Set.of("08", "53", "57P");

  /** H2: connection broken, database closed. */
  private static final Set<String> OF_H2 = Set.of("90067", "90098", "90121");

  private Outage() {}

  /** Whether it was the cause of a failure, or part of it. */
  public static boolean isShownBy(Throwable thrown) {
    return Causes.of(thrown)
        .anyMatch(
            cause ->
                (cause instanceof SQLTransientException && !(cause instanceof SQLTimeoutException))
                    || cause instanceof SQLRecoverableException
                    || cause instanceof SQLNonTransientConnectionException
                    || (cause instanceof SQLException sql && isState(sql)));
  }

  private static boolean isState(SQLException thrown) {
    String state = String.valueOf(thrown.getSQLState());
    return Dialect.isReadOnly(thrown)
        || OF_H2.contains(state)
        || (state.length() == 5 && BEGINNINGS.stream().anyMatch(state::startsWith));
  }
}
