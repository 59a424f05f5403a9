package io.postbox.inbox.message;

import io.postbox.common.log.Causes;
import io.postbox.common.platform.Platforms;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** Recognises an exhausted connection pool, which is no failure of the database. */
public final class PoolTimeouts {
  private PoolTimeouts() {}

  /**
   * Whether a pool's time-out caused a failure. A pool's own exception has no SQL state; a driver's
   * exception has one, also as the cause of a pool's.
   */
  public static boolean isOne(Throwable thrown) {
    return Causes.of(thrown).anyMatch(Platforms::isPoolTimeout)
        || (Causes.of(thrown).anyMatch(PoolTimeouts::isAPools)
            && Causes.of(thrown).noneMatch(PoolTimeouts::isADrivers));
  }

  private static boolean isAPools(Throwable cause) {
    return cause instanceof SQLTransientConnectionException sql && sql.getSQLState() == null;
  }

  private static boolean isADrivers(Throwable cause) {
    return cause instanceof SQLException sql && sql.getSQLState() != null;
  }
}
