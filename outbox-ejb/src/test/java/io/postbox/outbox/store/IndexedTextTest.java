package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.IndexedText;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class IndexedTextTest {
  @Test
  void anotherLibraryOfTheSystemChangesNoIndex() throws SQLException {
    try (Connection connection = TestDatabase.POSTGRESQL.fresh().getConnection()) {
      new Schema(TestDatabase.POSTGRESQL.dialect(), TestConfig.DEFAULT.config())
          .prepare(connection);

      assertThat(IndexedText.sortedByTheSystem(connection)).isEmpty();
    }
  }
}
