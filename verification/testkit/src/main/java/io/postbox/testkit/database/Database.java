package io.postbox.testkit.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The database of a campaign, and the way into it past the server. */
public interface Database extends AutoCloseable {
  /** As in liberty-config. */
  String name();

  /** The server's variables for it. */
  Map<String, String> variables();

  /** Whether it can be read while the server runs. */
  boolean readableBesideServer();

  /** A connection past the server. */
  Connection connect() throws SQLException;

  /** Names the transactions that are prepared and not yet decided. */
  String preparedTransactions();

  /**
   * Columns of a table with an {@code id} by which those rows that were inserted and never updated
   * are in the order in which their transactions began to write.
   */
  String orderOfWriting();

  /** Tells a person where to look at it after a failure. */
  String whereabouts();

  @Override
  void close();
}
