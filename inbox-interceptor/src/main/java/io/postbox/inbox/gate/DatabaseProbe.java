package io.postbox.inbox.gate;

import java.sql.SQLException;

/** Asks the database something, outside of every delivery. Thread-safe. */
public interface DatabaseProbe {

  /** Fails unless the database answers. */
  void ask() throws SQLException;
}
