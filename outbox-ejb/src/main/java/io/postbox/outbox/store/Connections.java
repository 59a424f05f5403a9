package io.postbox.outbox.store;

import java.sql.Connection;
import java.sql.SQLException;

/** What every user of a connection does alike. */
public final class Connections {
  private Connections() {}

  /** Rolls back because of a failure, which takes along what goes wrong with that. */
  public static void rollBack(Connection connection, Throwable because) {
    try {
      connection.rollback();
    } catch (SQLException failed) {
      because.addSuppressed(failed);
    }
  }
}
