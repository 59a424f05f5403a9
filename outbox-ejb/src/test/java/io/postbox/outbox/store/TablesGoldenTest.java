package io.postbox.outbox.store;

import io.postbox.common.store.Script;
import io.postbox.common.testing.Golden;
import io.postbox.common.testing.TableColumns;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
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
    try (Connection connection = database.fresh().getConnection()) {
      new Schema(database.dialect(), TestConfig.DEFAULT.config()).prepare(connection);
      Set<String> tables =
          Script.read(Schema.class, database.dialect().script("outbox")).columnsByTable().keySet();

      Golden.of("tables-" + database.name().toLowerCase(Locale.ROOT))
          .holds(TableColumns.of(connection, tables));
    }
  }
}
