package io.postbox.common.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Notes with which limit of time, in seconds, each statement is executed; 0 is none. */
public final class TimeLimits {
  private final DataSource real;
  private final List<Integer> seconds = new ArrayList<>();

  /**
   * @param real where the connections come from
   */
  public TimeLimits(DataSource real) {
    this.real = real;
  }

  /** The limits since the last call. */
  public List<Integer> taken() {
    List<Integer> taken = List.copyOf(seconds);
    seconds.clear();
    return taken;
  }

  /** The data source to hand in. */
  public DataSource dataSource() {
    return wrapped(DataSource.class, real);
  }

  private <T> T wrapped(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (target instanceof Statement statement && method.getName().startsWith("execute")) {
                seconds.add(statement.getQueryTimeout());
              }
              Object result = call(target, method, arguments);
              if (result instanceof Connection connection) {
                return wrapped(Connection.class, connection);
              }
              return result instanceof PreparedStatement statement
                  ? wrapped(PreparedStatement.class, statement)
                  : result;
            }));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
