package io.postbox.common.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The data source of a node that dies at one of its moments: before a statement, before a commit,
 * or behind one, whose success it never learns. Its transaction is rolled back then, as a database
 * does with a connection that is gone, and nothing works on it any more. Not thread-safe.
 */
public final class DyingNode {
  private static final Set<String> ENDINGS = Set.of("rollback", "close", "isClosed");

  private final DataSource real;
  private int momentsLeft;

  /**
   * @param real where the connections come from
   * @param moments how many it survives
   */
  public DyingNode(DataSource real, int moments) {
    this.real = real;
    momentsLeft = moments;
  }

  /** The data source to hand in. */
  public DataSource dataSource() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          stayAlive();
          Object result = call(real, method, arguments);
          return result instanceof Connection connection ? mortal(connection) : result;
        });
  }

  /** Whether its moment has come. */
  public boolean isDead() {
    return momentsLeft < 0;
  }

  private Connection mortal(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          String name = method.getName();
          if (!ENDINGS.contains(name)) {
            stayAlive();
          }
          if (name.equals("commit")) {
            moment(connection);
            call(connection, method, arguments);
            moment(connection);
            return null;
          }
          Object result = call(connection, method, arguments);
          return result instanceof PreparedStatement statement
              ? mortal(PreparedStatement.class, statement, connection)
              : result instanceof Statement statement
                  ? mortal(Statement.class, statement, connection)
                  : result;
        });
  }

  private <T> T mortal(Class<T> type, T statement, Connection connection) {
    return proxy(
        type,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            stayAlive();
            moment(connection);
          }
          return call(statement, method, arguments);
        });
  }

  private void moment(Connection connection) throws SQLException {
    if (--momentsLeft < 0) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      stayAlive();
    }
  }

  private void stayAlive() throws SQLException {
    if (isDead()) {
      throw new SQLException("the node is dead", "08006");
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(DyingNode.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
