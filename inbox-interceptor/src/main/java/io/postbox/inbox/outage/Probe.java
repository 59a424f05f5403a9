package io.postbox.inbox.outage;

import java.sql.SQLException;

/** Asks the database something, outside of every delivery. Thread-safe. */
public interface Probe {

  /** Fails unless the database answers. */
  void ask() throws SQLException;
}
