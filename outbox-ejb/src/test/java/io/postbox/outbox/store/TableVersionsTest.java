package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaInstaller;
import io.postbox.common.testing.TableVersionRules;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** The rules are the same code as the inbox's, which runs them in every build. */
@Tag("full")
class TableVersionsTest extends TableVersionRules {
  TableVersionsTest() {
    super(Schema.class, "outbox");
  }

  @Override
  protected Sessions fresh(Dialect dialect) {
    DataSource dataSource = TestDatabase.valueOf(dialect.name()).fresh();
    return dataSource::getConnection;
  }

  @Override
  protected SchemaInstaller installer(
      Dialect dialect, ClassLoader jar, TableNames tables, boolean createTables) {
    TestConfig config = TestConfig.DEFAULT.withTables(tables.schema(), tables.prefix());
    return new Schema(
        dialect,
        (createTables ? config : config.withoutCreatingTables()).config(),
        Schema.scripts(dialect, jar),
        Duration.ofSeconds(20));
  }
}
