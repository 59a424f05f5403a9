package io.postbox.test.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source whose statements are rewritten on their way to the database. */
final class RewritingDataSource {
  private static final Set<String> WITH_SQL =
      Set.of(
          "prepareStatement",
          "prepareCall",
          "nativeSQL",
          "execute",
          "executeQuery",
          "executeUpdate",
          "executeLargeUpdate",
          "addBatch");

  private RewritingDataSource() {}

  static DataSource of(DataSource dataSource, UnaryOperator<String> rewritten) {
    return proxy(DataSource.class, dataSource, rewritten);
  }

  private static <T> T proxy(Class<T> type, T target, UnaryOperator<String> rewritten) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (WITH_SQL.contains(method.getName())
              && arguments != null
              && arguments[0] instanceof String sql) {
            arguments[0] = rewritten.apply(sql);
          }
          try {
            return wrapped(method.invoke(target, arguments), rewritten);
          } catch (InvocationTargetException failed) {
            throw failed.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            RewritingDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Wraps an object that takes SQL itself, and leaves others. */
  private static @Nullable Object wrapped(
      @Nullable Object returned, UnaryOperator<String> rewritten) throws SQLException {
    if (returned instanceof Connection connection) {
      return proxy(Connection.class, connection, rewritten);
    }
    return returned instanceof Statement statement && !hasItsSql(statement)
        ? proxy(Statement.class, statement, rewritten)
        : returned;
  }

  private static boolean hasItsSql(Statement statement) {
    return statement instanceof PreparedStatement;
  }
}
