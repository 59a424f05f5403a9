package io.postbox.test.store;

import io.postbox.common.store.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The test's clock in the place of the database's. Statements are rewritten to call a function of
 * the test. On H2 that is a method of this class, which finds the clock by the database's name; on
 * PostgreSQL it reads a table with one row.
 */
public final class DatabaseClock {
  private static final String FUNCTION = "postbox_test_now()";
  private static final Map<String, InstantSource> OF_H2 = new ConcurrentHashMap<>();

  private final Dialect dialect;
  private final Pattern now;

  /**
   * @param dialect the database's
   */
  public DatabaseClock(Dialect dialect) {
    this.dialect = dialect;
    now =
        switch (dialect) {
          case H2 -> Pattern.compile("\\bCURRENT_TIMESTAMP\\b(?!\\()");
          case POSTGRESQL -> Pattern.compile("\\bclock_timestamp\\(\\)");
        };
  }

  /** A statement that reads the test's clock where this one reads the database's. */
  public String rewritten(String sql) {
    return now.matcher(sql).replaceAll(FUNCTION);
  }

  /** Makes the function; the connection commits each statement. */
  public void install(Connection connection, InstantSource clock) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      switch (dialect) {
        case H2 -> {
          if (OF_H2.putIfAbsent(connection.getCatalog(), clock) != null) {
            throw inUse();
          }
          statement.execute(
              "CREATE ALIAS IF NOT EXISTS postbox_test_now FOR '%s.nowOnH2'"
                  .formatted(getClass().getName()));
        }
        case POSTGRESQL -> {
          statement.execute(
              """
              CREATE TABLE IF NOT EXISTS postbox_test_clock
                (id INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL)
              """);
          int inserted =
              statement.executeUpdate(
                  """
                  INSERT INTO postbox_test_clock VALUES (1, clock_timestamp())
                  ON CONFLICT DO NOTHING
                  """);
          if (inserted == 0) {
            throw inUse();
          }
          statement.execute(
              """
              CREATE OR REPLACE FUNCTION postbox_test_now() RETURNS TIMESTAMPTZ LANGUAGE SQL VOLATILE
                AS 'SELECT at FROM postbox_test_clock'
              """);
        }
      }
    }
    set(connection, clock.instant());
  }

  private static SQLException inUse() {
    return new SQLException("another harness has it, or has not been closed");
  }

  /** Sets the time where the database keeps it; the connection commits. */
  public void set(Connection connection, Instant time) throws SQLException {
    if (dialect == Dialect.POSTGRESQL) {
      try (PreparedStatement update =
          connection.prepareStatement("UPDATE postbox_test_clock SET at = ?")) {
        update.setObject(1, time.atOffset(ZoneOffset.UTC));
        update.executeUpdate();
      }
    }
  }

  /** Forgets the clock of a database, so that another test can set its own. */
  public void uninstall(Connection connection) throws SQLException {
    switch (dialect) {
      case H2 -> OF_H2.remove(connection.getCatalog());
      case POSTGRESQL -> {
        try (Statement statement = connection.createStatement()) {
          statement.executeUpdate("DELETE FROM postbox_test_clock");
        }
      }
    }
  }

  /** Called by H2 in SQL. */
  public static OffsetDateTime nowOnH2(Connection connection) throws SQLException {
    InstantSource clock = OF_H2.get(connection.getCatalog());
    if (clock == null) {
      throw new SQLException("The test that made this database has ended.");
    }
    return clock.instant().atOffset(ZoneOffset.UTC);
  }
}
