package io.postbox.common.store;

import java.sql.SQLException;

/**
 * Something is missing in the tables, or may be, and other transactions are in the way of making
 * it. It is worth another try when they have ended; until then nobody waits behind this one.
 */
public final class TablesInUseException extends SQLException {
  private static final long serialVersionUID = 1L;

  public TablesInUseException(String message, SQLException cause) {
    super(message, cause.getSQLState(), cause);
  }
}
