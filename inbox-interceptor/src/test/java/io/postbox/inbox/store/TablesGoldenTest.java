package io.postbox.inbox.store;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Script;
import io.postbox.common.testing.Golden;
import io.postbox.common.testing.TableColumns;
import io.postbox.inbox.config.TestConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TablesGoldenTest {
  @ParameterizedTest
  @EnumSource
  void theTablesKeepTheirColumns(TestDatabase database) throws SQLException {
    try (Connection connection = TestDatabase.connect(database.freshUrl())) {
      Dialect dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, TestConfig.shop(true)).prepare(connection);
      Set<String> tables =
          Script.read(Schema.class, dialect.script("inbox")).columnsByTable().keySet();

      Golden.of("tables-" + database.name().toLowerCase(Locale.ROOT))
          .holds(TableColumns.of(connection, tables));
    }
  }
}
