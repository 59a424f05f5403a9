package io.postbox.inbox.gate;

import java.sql.SQLException;

/** Probes the database, outside of every delivery. Thread-safe. */
public interface DatabaseProbe {

  /** Fails unless the database is available. */
  void ask() throws SQLException;
}
