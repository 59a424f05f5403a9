package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaInstaller;
import io.postbox.common.testing.TableVersionRules;
import io.postbox.inbox.config.TestConfig;
import java.sql.SQLException;
import java.time.Duration;

class TableVersionsTest extends TableVersionRules {
  TableVersionsTest() {
    super(Schema.class, "inbox");
  }

  @Override
  protected Sessions fresh(Dialect dialect) throws SQLException {
    String url = TestDatabase.valueOf(dialect.name()).freshUrl();
    return () -> TestDatabase.connect(url);
  }

  @Override
  protected SchemaInstaller installer(
      Dialect dialect, ClassLoader jar, TableNames tables, boolean createTables) {
    return new Schema(
        dialect,
        TestConfig.of("shop", tables, createTables),
        Schema.scripts(dialect, jar),
        Duration.ofSeconds(20));
  }
}
