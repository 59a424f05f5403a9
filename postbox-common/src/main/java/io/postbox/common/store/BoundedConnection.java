package io.postbox.common.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose statements share one limit of time: the database cancels the one that runs
 * when it is over, and there is no further one.
 */
final class BoundedConnection implements InvocationHandler {
  private final Connection connection;
  private final long end;

  private BoundedConnection(Connection connection, long end) {
    this.connection = connection;
    this.end = end;
  }

  static Connection of(Connection connection, Duration limit) {
    return (Connection)
        Proxy.newProxyInstance(
            BoundedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new BoundedConnection(connection, System.nanoTime() + limit.toNanos()));
  }

  /** H2 keeps the limit of a statement for all later ones of its connection. */
  static void unbind(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(0);
    } catch (SQLException closed) {
      // Nobody uses it any more, and what has closed it is what the caller has to know.
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      Object result = method.invoke(connection, arguments);
      if (result instanceof Statement statement) {
        statement.setQueryTimeout(secondsLeft());
      }
      return result;
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }

  private int secondsLeft() throws SQLTimeoutException {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new SQLTimeoutException(
          "The limit of time for these statements is over", LocalTransactions.CANCELLED);
    }
    return (int) TimeUnit.NANOSECONDS.toSeconds(left) + 1;
  }
}
