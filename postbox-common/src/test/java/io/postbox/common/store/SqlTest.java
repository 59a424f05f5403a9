package io.postbox.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTest {
  /** A server that keeps a statement lets it remember the connection it was first made on. */
  @Test
  void aListIsMadeByTheConnectionAndNotByOneThatTheStatementRemembers() throws SQLException {
    try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
      int found =
          Sql.<Integer>one(
              keeping(h2),
              "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 9) WHERE x = ANY(?)",
              row -> row.getInt(1),
              Sql.numbers(List.of(2L, 3L, 12L)));

      assertThat(found).isEqualTo(2);
    }
  }

  private static Connection keeping(Connection h2) {
    return (Connection)
        Proxy.newProxyInstance(
            SqlTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object made = invoked(() -> method.invoke(h2, arguments));
              return made instanceof PreparedStatement statement ? remembering(statement) : made;
            });
  }

  private static PreparedStatement remembering(PreparedStatement statement) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            SqlTest.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                throw new SQLException("Connection closed");
              }
              return invoked(() -> method.invoke(statement, arguments));
            });
  }

  /** A call by reflection. */
  @FunctionalInterface
  private interface Call {
    Object run() throws IllegalAccessException, InvocationTargetException;
  }

  private static Object invoked(Call call) throws Throwable {
    try {
      return call.run();
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }
}
