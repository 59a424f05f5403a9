package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.IndexedText;
import io.postbox.inbox.config.TestConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexedTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"none", "daily"})
  void anotherLibraryOfTheSystemChangesNoIndex(String partitioning) throws SQLException {
    try (Connection connection = TestDatabase.connect(TestDatabase.POSTGRESQL.freshUrl())) {
      new Schema(
              Dialect.POSTGRESQL,
              TestConfig.shop(Map.of("table-partitioning", partitioning, "create-tables", "true")))
          .prepare(connection);

      assertThat(IndexedText.sortedByTheSystem(connection)).isEmpty();
    }
  }
}
