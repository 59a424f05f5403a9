package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatabaseInspectionTest {
  private static final TableNames APART = new TableNames("shop", "pb_");

  private static DatabaseFacts facts(Dialect dialect, DataSource dataSource, TableNames tables)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return Schema.inspection(dialect, tables).facts(connection);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tablesThatTheScriptMadeLackNoIndex(TestDatabase database) throws SQLException {
    StoreFixture apart = new StoreFixture(database);
    assertThat(facts(database.dialect(), apart.dataSource, APART).missingIndexes()).isEmpty();

    DataSource plain = database.freshWithoutPool();
    try (Connection connection = plain.getConnection()) {
      new Schema(database.dialect(), TestConfig.DEFAULT.config()).prepare(connection);
    }
    assertThat(facts(database.dialect(), plain, TestConfig.DEFAULT.tables()).missingIndexes())
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMissingIndexIsNamedUnlessAnotherOneDoes(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.rows.execute("DROP INDEX shop.pb_outbox_message_sent_ix");
    assertThat(facts(database.dialect(), store.dataSource, APART).missingIndexes())
        .containsExactly("pb_outbox_message_sent_ix");

    String columns = database == TestDatabase.H2 ? "status, sent_at" : "sent_at";
    store.rows.execute(
        "CREATE INDEX %s ON shop.pb_outbox_message (%s, id)"
            .formatted(database == TestDatabase.H2 ? "shop.mine" : "mine", columns));
    assertThat(facts(database.dialect(), store.dataSource, APART).missingIndexes()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theDatabaseIsDescribedByProductReleaseAndUrl(TestDatabase database) throws SQLException {
    DatabaseFacts facts = facts(database.dialect(), database.fresh(), APART);

    assertThat(facts.dialect()).isEqualTo(database.dialect());
    assertThat(facts.version()).startsWith(database == TestDatabase.H2 ? "2.4.240" : "18.");
    assertThat(facts.url())
        .startsWith(database == TestDatabase.H2 ? "jdbc:h2:mem:" : "jdbc:postgresql:");
    assertThat(facts.missingIndexes()).as("of tables that are not there").isEmpty();
  }

  @Test
  void postgresTellsItsSettingsAsThisUserHasThem() throws SQLException {
    DataSource dataSource = TestDatabase.POSTGRESQL.freshWithoutPool();
    DatabaseFacts durable = facts(Dialect.POSTGRESQL, dataSource, APART);
    assertThat(durable.setting("fsync")).contains("off");
    assertThat(durable.setting("full_page_writes")).contains("on");
    assertThat(durable.setting("synchronous_commit")).contains("on");
    assertThat(durable.number("max_prepared_transactions")).isPresent();
    assertThat(durable.number("transaction_timeout")).contains(0L);
    assertThat(durable.number("server_version_num").orElse(0L)).isGreaterThan(180_000);

    new Rows(dataSource, APART)
        .execute(
            """
            DO $$ BEGIN
              EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = off';
              EXECUTE 'ALTER DATABASE ' || current_database() || ' SET transaction_timeout = ''20s''';
            END $$
            """);
    DatabaseFacts changed = facts(Dialect.POSTGRESQL, dataSource, APART);
    assertThat(changed.setting("synchronous_commit")).contains("off");
    assertThat(changed.number("transaction_timeout")).contains(20_000L);
  }

  @Test
  void h2TellsItsWriteDelay(@TempDir Path folder) throws SQLException {
    for (String delay : List.of("0", "500")) {
      JdbcDataSource dataSource = new JdbcDataSource();
      dataSource.setURL("jdbc:h2:file:%s/%s;WRITE_DELAY=%s".formatted(folder, "w" + delay, delay));
      DatabaseFacts facts = facts(Dialect.H2, dataSource, APART);
      assertThat(facts.setting("WRITE_DELAY")).contains(delay);
      assertThat(facts.url()).startsWith("jdbc:h2:file:");
    }
  }
}
