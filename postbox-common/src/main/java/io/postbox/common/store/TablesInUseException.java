package io.postbox.common.store;

import java.sql.SQLException;

/**
 * A table or index is missing, or may be, and other transactions block its creation. A retry can
 * succeed when they have ended; meanwhile no other session waits behind this one.
 */
public final class TablesInUseException extends SQLException {
  private static final long serialVersionUID = 1L;

  public TablesInUseException(String message, SQLException cause) {
    super(message, cause.getSQLState(), cause);
  }
}
