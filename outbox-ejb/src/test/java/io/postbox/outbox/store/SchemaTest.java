package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchemaTest {
  private static final TestConfig SHOP = TestConfig.DEFAULT;

  private static void prepare(TestDatabase database, DataSource dataSource, TestConfig config)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      assertThat(Dialect.of(connection, "outbox")).isEqualTo(database.dialect());
      new Schema(database.dialect(), config.config()).prepare(connection);
    }
  }

  private static void assertRefused(
      TestDatabase database, DataSource dataSource, TestConfig config, String message) {
    assertThatThrownBy(() -> prepare(database, dataSource, config))
        .isInstanceOf(SchemaException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @EnumSource
  void theTablesAreMadeOnceAndThenFound(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    Rows rows = new Rows(dataSource, SHOP.tables());
    for (int i = 0; i < 3; i++) {
      prepare(database, dataSource, SHOP);
      assertThat(rows.count("outbox_message")).isZero();
      assertThat(rows.count("outbox_held_key")).isZero();
      assertThat(rows.count("outbox_partition")).isEqualTo(16);
      assertThat(rows.count("postbox_schema")).isEqualTo(1);
    }
    prepare(database, dataSource, SHOP.withoutCreatingTables());
  }

  @ParameterizedTest
  @EnumSource
  void severalNodesMayMakeTheTablesAtOnce(TestDatabase database) throws Exception {
    for (int round = 0; round < 3; round++) {
      DataSource dataSource = database.fresh();
      int nodes = 4;
      ExecutorService executor = Executors.newFixedThreadPool(nodes);
      try {
        CyclicBarrier together = new CyclicBarrier(nodes);
        Callable<Void> node =
            () -> {
              together.await();
              prepare(database, dataSource, SHOP);
              return null;
            };
        List<Future<Void>> started = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
          started.add(executor.submit(node));
        }
        for (Future<Void> each : started) {
          each.get();
        }
      } finally {
        executor.shutdownNow();
      }
      assertThat(new Rows(dataSource, SHOP.tables()).count("outbox_partition")).isEqualTo(16);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherIsolationLevelRefuses(TestDatabase database) throws SQLException {
    try (Connection connection = database.fresh().getConnection()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);

      assertThatThrownBy(() -> new Schema(database.dialect(), SHOP.config()).prepare(connection))
          .isInstanceOf(SchemaException.class)
          .hasMessageContaining("does not work at READ COMMITTED")
          .hasMessageContaining("Set the data source's isolation level to READ COMMITTED.");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTablesMayHaveASchemaAndAPrefix(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    new Rows(dataSource, SHOP.tables()).execute("CREATE SCHEMA apart");
    TestConfig apart = SHOP.withTables("apart", "pb_");
    prepare(database, dataSource, apart);
    prepare(database, dataSource, apart);
    prepare(database, dataSource, SHOP);
    prepare(database, dataSource, SHOP.withTables("", "Two_").withService("other"));

    assertThat(new Rows(dataSource, apart.tables()).count("outbox_partition")).isEqualTo(16);
    assertThat(new Rows(dataSource, SHOP.tables()).count("outbox_partition")).isEqualTo(16);
  }

  @ParameterizedTest
  @EnumSource
  void missingTablesRefuse(TestDatabase database) {
    DataSource dataSource = database.fresh();
    assertThatThrownBy(() -> prepare(database, dataSource, SHOP.withoutCreatingTables()))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith("The outbox's table postbox_schema cannot be read (")
        .hasMessageEndingWith(
            "). Run META-INF/postbox/%s/outbox.sql from the outbox's jar before the application is deployed (a migration that the application runs itself, like Flyway or Liquibase in one of its beans, comes too late), or set postbox.outbox.create-tables=true."
                .formatted(database.name().toLowerCase(Locale.ROOT)));
  }

  @ParameterizedTest
  @EnumSource
  void theErrorSaysWhichNamesTheScriptNeeds(TestDatabase database) {
    DataSource dataSource = database.fresh();
    new Rows(dataSource, SHOP.tables()).execute("CREATE SCHEMA shop");
    assertThatThrownBy(
            () ->
                prepare(
                    database, dataSource, SHOP.withTables("shop", "pb_").withoutCreatingTables()))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(
            "/outbox.sql from the outbox's jar (with 'shop.pb_' put before every name of a table,"
                + " as in shop.pb_outbox_message, and 'pb_' before every name of an index or a"
                + " constraint) before the application is deployed");
    assertThatThrownBy(
            () ->
                prepare(database, dataSource, SHOP.withTables("shop", "").withoutCreatingTables()))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(
            "/outbox.sql from the outbox's jar (with 'shop.' put before every name of a table, as"
                + " in shop.outbox_message) before the application is deployed");
  }

  /** The database makes the values of a row in the order of its columns. */
  @ParameterizedTest
  @EnumSource
  void onPostgresqlThePartitionStandsInFrontOfThePlaceInTheOrder(TestDatabase database)
      throws SQLException {
    DataSource dataSource = database.fresh();
    prepare(database, dataSource, SHOP);
    Rows rows = new Rows(dataSource, SHOP.tables());
    rows.execute("ALTER TABLE outbox_message DROP CONSTRAINT outbox_message_pk");
    rows.execute("ALTER TABLE outbox_message RENAME COLUMN partition_no TO was_partition_no");
    rows.execute("ALTER TABLE outbox_message ALTER COLUMN was_partition_no DROP NOT NULL");
    rows.execute("ALTER TABLE outbox_message ADD COLUMN partition_no INTEGER");

    if (database == TestDatabase.POSTGRESQL) {
      assertRefused(
          database,
          dataSource,
          SHOP.withoutCreatingTables(),
          "In the table outbox_message the column seq stands in front of partition_no. A"
              + " transaction could then get its message's place in the order before it is known as"
              + " a writer, and the relay could pass that message over. Create the table anew with"
              + " partition_no in front, as in META-INF/postbox/postgresql/outbox.sql.");
    } else {
      prepare(database, dataSource, SHOP.withoutCreatingTables());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMissingSchemaRefuses(TestDatabase database) {
    DataSource dataSource = database.fresh();
    assertThatThrownBy(() -> prepare(database, dataSource, SHOP.withTables("nowhere", "")))
        .isInstanceOf(SchemaException.class)
        .hasMessageContainingAll("nowhere", "postbox.outbox.schema");
    assertThatThrownBy(
            () ->
                prepare(
                    database, dataSource, SHOP.withTables("nowhere", "").withoutCreatingTables()))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("nowhere");
  }

  @ParameterizedTest
  @EnumSource
  void aTableOfThatNameWithAnotherShapeRefuses(TestDatabase database) {
    DataSource dataSource = database.fresh();
    new Rows(dataSource, SHOP.tables())
        .execute("CREATE TABLE outbox_held_key (partition_no INTEGER, destination VARCHAR(9))");

    assertRefused(
        database,
        dataSource,
        SHOP,
        ("The table outbox_held_key is not the outbox's: it has no column head_id, ordering_key,"
                + " released_to, since (see META-INF/postbox/%s/outbox.sql in the outbox's jar)."
                + " Rename that table, or give the outbox other names with postbox.outbox.table-prefix"
                + " or postbox.outbox.schema.")
            .formatted(database.name().toLowerCase(Locale.ROOT)));
  }

  @ParameterizedTest
  @EnumSource
  void aMissingColumnRefuses(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    prepare(database, dataSource, SHOP);
    new Rows(dataSource, SHOP.tables())
        .execute("ALTER TABLE outbox_message DROP COLUMN schema_version");

    assertRefused(
        database,
        dataSource,
        SHOP,
        ("The table outbox_message is not the outbox's: it has no column schema_version (see"
                + " META-INF/postbox/%s/outbox.sql in the outbox's jar). Rename that table, or give"
                + " the outbox other names with postbox.outbox.table-prefix or postbox.outbox.schema.")
            .formatted(database.name().toLowerCase(Locale.ROOT)));
  }

  @ParameterizedTest
  @EnumSource
  void anotherServiceRefuses(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    prepare(database, dataSource, SHOP);

    assertRefused(
        database,
        dataSource,
        SHOP.withService("billing"),
        "The outbox's table outbox_message belongs to the service 'shop', and this is the service"
            + " 'billing'. Give this service tables of its own (postbox.outbox.table-prefix,"
            + " postbox.outbox.schema or another postbox.outbox.data-source), or, if it is the same"
            + " service, set postbox.service=shop.");
    prepare(database, dataSource, SHOP);
  }

  @ParameterizedTest
  @EnumSource
  void anotherNumberOfPartitionsRefuses(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    prepare(database, dataSource, SHOP);

    assertRefused(
        database,
        dataSource,
        SHOP.withPartitions(8),
        "The outbox's table outbox_message was made with 16 partitions, and"
            + " postbox.outbox.partitions=8. The number is fixed as long as there are"
            + " messages, for it decides where they are: set it back, or empty the outbox first, as"
            + " https://github.com/postbox/postbox/blob/main/docs/operations.md says.");
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalLeavesNothingBehind(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    prepare(database, dataSource, SHOP);
    Rows rows = new Rows(dataSource, SHOP.tables());
    rows.execute("DELETE FROM outbox_partition WHERE partition_no > 3");

    assertThatThrownBy(() -> prepare(database, dataSource, SHOP.withPartitions(4)))
        .isInstanceOf(SchemaException.class);
    assertThat(rows.count("outbox_partition")).isEqualTo(4);
    prepare(database, dataSource, SHOP);
    assertThat(rows.count("outbox_partition")).isEqualTo(16);
  }

  /** The procedure of docs/operations.md, once nothing but sent messages is left. */
  @ParameterizedTest
  @EnumSource
  void theNumberOfPartitionsChangesWhenTheOutboxIsDrained(TestDatabase database)
      throws SQLException {
    DataSource dataSource = database.fresh();
    prepare(database, dataSource, SHOP);
    TestConfig more = SHOP.withPartitions(32);
    assertThatThrownBy(() -> prepare(database, dataSource, more))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("was made with 16 partitions, and postbox.outbox.partitions=32");
    new Rows(dataSource, SHOP.tables())
        .execute("UPDATE postbox_schema SET partitions = 32 WHERE module = 'outbox'");
    prepare(database, dataSource, more);

    assertThat(new Rows(dataSource, SHOP.tables()).count("outbox_partition")).isEqualTo(32);
    assertThatThrownBy(() -> prepare(database, dataSource, SHOP))
        .isInstanceOf(SchemaException.class);
  }
}
