package io.postbox.inbox.ops;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Has PostgreSQL explain every statement, with the parameters that it is to be executed with. */
final class Explaining {
  private final DataSource real;
  private final List<String> plans = new ArrayList<>();

  Explaining(DataSource real) {
    this.real = real;
  }

  /** Each statement and its plan. */
  List<String> plans() {
    return plans;
  }

  DataSource dataSource() {
    return KeptFixture.proxy(
        DataSource.class,
        real,
        (method, arguments) ->
            KeptFixture.call(real, method, arguments) instanceof Connection connection
                ? explaining(connection)
                : null);
  }

  private Connection explaining(Connection connection) {
    return KeptFixture.proxy(
        Connection.class,
        connection,
        (method, arguments) -> {
          Object result = KeptFixture.call(connection, method, arguments);
          return result instanceof PreparedStatement statement
              ? explaining(connection, (String) arguments[0], statement)
              : result;
        });
  }

  private PreparedStatement explaining(
      Connection connection, String sql, PreparedStatement statement) {
    Map<Object, Method> setters = new TreeMap<>();
    Map<Object, Object[]> values = new TreeMap<>();
    return KeptFixture.proxy(
        PreparedStatement.class,
        statement,
        (method, arguments) -> {
          if (method.getName().startsWith("set") && arguments != null && arguments.length > 1) {
            setters.put(arguments[0], method);
            values.put(arguments[0], arguments);
          } else if (method.getName().startsWith("execute")) {
            explain(connection, sql, setters, values);
          }
          return KeptFixture.call(statement, method, arguments);
        });
  }

  private void explain(
      Connection connection,
      String sql,
      Map<Object, Method> setters,
      Map<Object, Object @Nullable []> values)
      throws Throwable {
    // A recursive query shows what it looks up only once it has been executed.
    String how = sql.startsWith("WITH RECURSIVE") ? "EXPLAIN (ANALYZE) " : "EXPLAIN ";
    try (PreparedStatement explain = connection.prepareStatement(how + sql)) {
      for (Map.Entry<Object, Method> setter : setters.entrySet()) {
        KeptFixture.call(explain, setter.getValue(), values.get(setter.getKey()));
      }
      StringBuilder plan = new StringBuilder(sql).append('\n');
      try (ResultSet line = explain.executeQuery()) {
        while (line.next()) {
          plan.append(line.getString(1)).append('\n');
        }
      }
      plans.add(plan.toString());
    }
  }
}
