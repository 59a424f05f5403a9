package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.TableNames;
import io.postbox.inbox.config.TestConfig;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class SecretStoreTest {
  private static final TableNames TABLES = new TableNames("", "pb_");

  @Parameter TestDatabase database;

  @Test
  void allNodesThatStartAtTheSameTimeHaveOneKey() throws Exception {
    String url = database.freshUrl();
    ExecutorService nodes = Executors.newFixedThreadPool(8);
    Callable<String> node = () -> key(url);
    Set<String> keys = new HashSet<>();
    for (Future<String> key : nodes.invokeAll(Stream.generate(() -> node).limit(8).toList())) {
      keys.add(key.get());
    }
    nodes.shutdown();

    assertThat(keys).singleElement().asString().hasSize(2 * 32);
    assertThat(key(url)).as("after a restart").isEqualTo(keys.iterator().next());
  }

  @Test
  void eachServiceHasItsOwn() throws SQLException {
    assertThat(key(database.freshUrl())).isNotEqualTo(key(database.freshUrl()));
  }

  /** As a node does it at its start. */
  private static String key(String url) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(connection);
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
      connection.setAutoCommit(true);
      return HexFormat.of().formatHex(new SecretStore(dialect, TABLES).readOrMake(connection));
    }
  }
}
