package io.postbox.common.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database in PostgreSQL whose sessions are used again, each given out as if it were new. A new
 * session costs PostgreSQL a process, which reads the catalogue anew: that was half of the
 * processor time that the tests of the statements took. Settings of the database or the user that
 * change later are not seen by sessions that exist; a test of these connects without a pool.
 * Thread-safe.
 */
public final class PooledSessions extends PGSimpleDataSource {
  private static final long serialVersionUID = 1;
  private static final int MOST = 150;

  private final transient JdbcConnectionPool pool;
  private transient volatile boolean closed;

  /**
   * @param url of the database, with the user
   */
  public PooledSessions(String url) {
    setUrl(url);
    PGConnectionPoolDataSource connections = new PGConnectionPoolDataSource();
    connections.setUrl(url);
    pool = JdbcConnectionPool.create(connections);
    pool.setMaxConnections(MOST);
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (closed) {
      return super.getConnection();
    }
    Connection connection = pool.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute("DISCARD ALL");
    }
    return connection;
  }

  /** Ends the sessions that nobody uses. Later ones are new. */
  public void close() {
    closed = true;
    pool.dispose();
  }
}
