package io.postbox.test.jpa;

import io.postbox.test.database.Transactions;
import jakarta.transaction.Status;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections on which, within a JTA transaction, nobody but that transaction commits. */
final class JtaOwnedConnections {
  private static final Set<String> OF_JTA = Set.of("commit", "rollback", "setAutoCommit");

  private JtaOwnedConnections() {}

  static DataSource of(DataSource dataSource) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object returned = invoke(dataSource, method, arguments);
          return returned instanceof Connection connection && isInTransaction()
              ? owned(connection)
              : returned;
        });
  }

  private static boolean isInTransaction() {
    return Transactions.registry().getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
  }

  private static Connection owned(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) ->
            OF_JTA.contains(method.getName()) ? null : invoke(connection, method, arguments));
  }

  private static @Nullable Object invoke(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            JtaOwnedConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
