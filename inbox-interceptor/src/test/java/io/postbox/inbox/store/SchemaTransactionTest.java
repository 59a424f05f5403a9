package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.config.TestConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class SchemaTransactionTest {
  @Parameter TestDatabase database;
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = TestDatabase.connect(database.freshUrl());
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void aHigherIsolationLevelIsFine() throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);

    schema(true).prepare(connection);
  }

  @Test
  void readingWhatIsNotCommittedIsRefused() throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);

    assertThatThrownBy(() -> schema(true).prepare(connection))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith(
            "The data source postbox.inbox.data-source=jdbc/shop reads uncommitted rows")
        .hasMessageContaining("would be lost")
        .hasMessageContaining("Set the data source's isolation level to READ COMMITTED.");
  }

  @Test
  void aRollbackThatFailsTooDoesNotHideWhatWasWrong() throws SQLException {
    SQLException cut = new SQLException("cut");
    Connection unsteady = failing(connection, "rollback", cut);

    assertThatThrownBy(() -> schema(false).prepare(unsteady))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("cannot be read")
        .hasSuppressedException(cut);
  }

  @Test
  void anErrorRollsBackToo() throws SQLException {
    schema(true).prepare(connection);
    execute("DELETE FROM postbox_schema");
    Error error = new AssertionError("broken driver");

    assertThatThrownBy(() -> schema(false).prepare(failing(connection, "commit", error)))
        .isSameAs(error);

    connection.commit();
    try (Statement statement = connection.createStatement();
        ResultSet owners = statement.executeQuery("SELECT service FROM postbox_schema")) {
      assertThat(owners.next()).isFalse();
    }
  }

  private Schema schema(boolean create) throws SQLException {
    return new Schema(Dialect.of(connection, "inbox"), TestConfig.shop(create));
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    connection.commit();
  }

  /** The connection, one method of which fails. */
  private static Connection failing(Connection connection, String name, Throwable failure) {
    return (Connection)
        Proxy.newProxyInstance(
            SchemaTransactionTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(name)) {
                throw failure;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }
}
