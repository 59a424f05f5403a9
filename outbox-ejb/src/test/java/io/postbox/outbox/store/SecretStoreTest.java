package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.SecretStore;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SecretStoreTest {
  private static final TestConfig CONFIG = TestConfig.DEFAULT.withTables("", "pb_");

  @ParameterizedTest
  @EnumSource
  void allNodesThatStartAtTheSameTimeHaveOneKey(TestDatabase database) throws Exception {
    DataSource dataSource = database.fresh();
    ExecutorService nodes = Executors.newFixedThreadPool(8);
    Callable<String> node = () -> key(dataSource);
    Set<String> keys = new HashSet<>();
    for (Future<String> key : nodes.invokeAll(Stream.generate(() -> node).limit(8).toList())) {
      keys.add(key.get());
    }
    nodes.shutdown();

    assertThat(keys).singleElement().asString().hasSize(2 * 32);
    assertThat(key(dataSource)).as("after a restart").isEqualTo(keys.iterator().next());
  }

  @ParameterizedTest
  @EnumSource
  void eachServiceHasItsOwn(TestDatabase database) throws SQLException {
    assertThat(key(database.fresh())).isNotEqualTo(key(database.fresh()));
  }

  /** As a node does it at its start. */
  private static String key(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Dialect dialect = Dialect.of(connection, "outbox");
      new Schema(dialect, CONFIG.config()).prepare(connection);
      connection.setAutoCommit(true);
      return HexFormat.of()
          .formatHex(
              new SecretStore(dialect, CONFIG.tables().qualified("outbox_secret"))
                  .readOrMake(connection));
    }
  }
}
