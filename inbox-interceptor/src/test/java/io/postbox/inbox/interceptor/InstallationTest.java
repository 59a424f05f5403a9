package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.SchemaException;
import io.postbox.inbox.store.TestDatabase;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InstallationTest {
  private final InboxConfig config = TestConfig.shop(true);

  /** As dataSource transactional="false" makes one: it looks well until something rolls back. */
  @ParameterizedTest
  @EnumSource
  void aDataSourceThatTakesNoPartInTransactionsIsRefused(TestDatabase database)
      throws SQLException {
    String url = database.freshUrl();
    Installation installation =
        new Installation(
            config, dataSource(url), new TransactionTrial(() -> Optional.of(meaningless())));

    assertThatThrownBy(installation::prepare)
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("takes no part in the server's transactions")
        .hasMessageContaining("transactional=\"false\"");

    assertThat(installation.stores()).isEmpty();
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM postbox_schema")) {
      rows.next();
      assertThat(rows.getInt(1)).as("the row is removed").isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereNoTransactionCanBeBegunNothingIsSaid(TestDatabase database) throws SQLException {
    Installation installation =
        new Installation(
            config, dataSource(database.freshUrl()), new TransactionTrial(Optional::empty));

    assertThatCode(installation::prepare).doesNotThrowAnyException();
    assertThat(installation.stores()).isPresent();
  }

  private static DataSource dataSource(String url) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> TestDatabase.connect(url));
  }

  private static UserTransaction meaningless() {
    return (UserTransaction)
        Proxy.newProxyInstance(
            InstallationTest.class.getClassLoader(),
            new Class<?>[] {UserTransaction.class},
            (proxy, method, arguments) -> null);
  }
}
