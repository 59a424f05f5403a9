package io.postbox.outbox.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Counts what reaches the database, and can make the next commits fail as a lost connection would.
 * Thread-safe.
 */
public final class CountingDataSource {
  private final DataSource real;
  private final AtomicInteger statements = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicInteger mostChangedAtOnce = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger commitsToLose = new AtomicInteger();
  private final AtomicInteger commitsUntilLoss = new AtomicInteger(Integer.MAX_VALUE);

  /**
   * @param real where the connections come from
   */
  public CountingDataSource(DataSource real) {
    this.real = real;
  }

  /** The data source to hand in. */
  public DataSource dataSource() {
    return proxy(DataSource.class, real, this::onDataSource);
  }

  /** How many statements, a batch as one, were executed. */
  public int statements() {
    return statements.get();
  }

  /** How many transactions were committed. */
  public int commits() {
    return commits.get();
  }

  /** Lets the next commits roll back and fail instead. */
  public void loseCommits(int howMany) {
    commitsToLose.set(howMany);
  }

  /** Lets some commits be, and the one behind them roll back and fail instead. */
  public void loseCommitsAfter(int howMany) {
    commitsUntilLoss.set(howMany);
  }

  /** How many rows were changed. */
  public int changes() {
    return changes.get();
  }

  /** How many rows one statement has changed at most. */
  public int mostChangedAtOnce() {
    return mostChangedAtOnce.get();
  }

  private void changed(int rows) {
    changes.addAndGet(rows);
    mostChangedAtOnce.accumulateAndGet(rows, Math::max);
  }

  private interface Call {
    Object with(Method method, Object[] arguments, Object result);
  }

  private Object onDataSource(Method method, Object[] arguments, Object result) {
    if (result instanceof Connection connection) {
      return Proxy.newProxyInstance(
          Connection.class.getClassLoader(),
          new Class<?>[] {Connection.class},
          (proxy, called, given) -> onConnection(connection, called, given));
    }
    return result;
  }

  private Object onConnection(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("commit")) {
      boolean lost = commitsUntilLoss.getAndDecrement() == 0;
      if (commitsToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0 || lost) {
        connection.rollback();
        throw new SQLException("the connection was lost at commit", "08006");
      }
      commits.incrementAndGet();
    }
    Object result = call(connection, method, arguments);
    if (result instanceof PreparedStatement statement) {
      return proxy(PreparedStatement.class, statement, this::onStatement);
    }
    if (result instanceof Statement statement) {
      return proxy(Statement.class, statement, this::onStatement);
    }
    return result;
  }

  private Object onStatement(Method method, Object[] arguments, Object result) {
    if (method.getName().startsWith("execute")) {
      statements.incrementAndGet();
    }
    if (result instanceof Integer rows && method.getName().equals("executeUpdate")) {
      changed(rows);
    } else if (result instanceof int[] rows) {
      IntStream.of(rows).forEach(this::changed);
    }
    return result;
  }

  private static <T> T proxy(Class<T> type, T target, Call afterwards) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            afterwards.with(method, arguments, call(target, method, arguments));
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
