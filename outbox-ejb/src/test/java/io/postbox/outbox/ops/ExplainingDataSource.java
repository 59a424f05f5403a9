package io.postbox.outbox.ops;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Has PostgreSQL explain every statement that reads or changes messages, with the parameters that
 * it is about to be executed with.
 */
final class ExplainingDataSource {
  private static final Pattern OF_INTEREST =
      Pattern.compile(
          "(?s)\\s*(SELECT|UPDATE|DELETE|INSERT|WITH).*(outbox_(message|archive|failure)|audit).*");

  private final DataSource real;
  private final List<String> plans = new ArrayList<>();

  ExplainingDataSource(DataSource real) {
    this.real = real;
  }

  /** Each statement and its plan. */
  synchronized List<String> plans() {
    return List.copyOf(plans);
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = call(real, method, arguments);
          return result instanceof Connection connection ? explaining(connection) : result;
        });
  }

  private Connection explaining(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = call(connection, method, arguments);
          return result instanceof PreparedStatement statement
                  && OF_INTEREST.matcher((String) arguments[0]).matches()
              ? explaining(connection, (String) arguments[0], statement)
              : result;
        });
  }

  private PreparedStatement explaining(
      Connection connection, String sql, PreparedStatement statement) {
    Map<Object, Method> setters = new TreeMap<>();
    Map<Object, Object[]> values = new TreeMap<>();
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("set")
              && arguments[0] instanceof Integer index
              && arguments.length > 1) {
            setters.put(index, method);
            values.put(index, arguments);
          } else if (method.getName().startsWith("execute")
              || method.getName().equals("addBatch")) {
            explain(connection, sql, setters, values);
          }
          return call(statement, method, arguments);
        });
  }

  private synchronized void explain(
      Connection connection, String sql, Map<Object, Method> setters, Map<Object, Object[]> values)
      throws Throwable {
    try (PreparedStatement explain = connection.prepareStatement("EXPLAIN " + sql)) {
      for (Map.Entry<Object, Method> setter : setters.entrySet()) {
        call(explain, setter.getValue(), values.get(setter.getKey()));
      }
      StringBuilder plan = new StringBuilder(sql).append('\n');
      try (ResultSet line = explain.executeQuery()) {
        while (line.next()) {
          plan.append(line.getString(1)).append('\n');
        }
      }
      plans.add(plan.toString());
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            ExplainingDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
