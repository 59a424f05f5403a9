package io.postbox.common.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * A pooler in transaction mode, at its most hostile: each transaction, and each statement outside
 * of one, runs in the next one of its sessions. What a session keeps beyond that, its locks and
 * settings, is met by others. For one thread and one connection at a time.
 */
public final class TransactionPooler {
  private final List<Connection> sessions;
  private int turn;

  /**
   * @param sessions of one database, two or more
   */
  public TransactionPooler(List<Connection> sessions) {
    this.sessions = sessions;
  }

  /** As a data source, of which only this is asked for. */
  public DataSource dataSource() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return connection();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  /** A connection, with autocommit on. */
  public Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, new Client()::on);
  }

  private Connection next() {
    turn = (turn + 1) % sessions.size();
    return sessions.get(turn);
  }

  private final class Client {
    private boolean autoCommit = true;
    private Connection session = next();

    private Object on(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "getAutoCommit":
          return autoCommit;
        case "setAutoCommit":
          end(true);
          autoCommit = (boolean) arguments[0];
          return null;
        case "commit":
          end(true);
          return null;
        case "rollback":
          if (arguments == null) {
            end(false);
            return null;
          }
          return call(method, arguments);
        case "close":
          end(false);
          return null;
        case "createStatement", "prepareStatement":
          if (autoCommit) {
            session = next();
          } else if (session.getAutoCommit()) {
            session.setAutoCommit(false);
          }
          return call(method, arguments);
        default:
          return call(method, arguments);
      }
    }

    /** The session goes back, and is anybody's. */
    private void end(boolean commit) throws SQLException {
      if (!session.getAutoCommit()) {
        if (commit) {
          session.commit();
        } else {
          session.rollback();
        }
        session.setAutoCommit(true);
      }
      session = next();
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
      try {
        return method.invoke(session, arguments);
      } catch (InvocationTargetException failed) {
        throw failed.getCause();
      }
    }
  }
}
