package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.config.TestConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class SchemaTest {
  private static final TableNames DEFAULT = new TableNames("", "");

  @Parameter TestDatabase database;
  private String url;

  @BeforeEach
  void aFreshDatabase() throws SQLException {
    url = database.freshUrl();
  }

  @Test
  void theTablesAreMadeOnceAndThenFound() throws SQLException {
    prepare("shop", DEFAULT, true);
    prepare("shop", DEFAULT, true);
    prepare("shop", DEFAULT, false);

    assertThat(read("SELECT service FROM postbox_schema WHERE module = 'inbox'"))
        .containsExactly("shop");
  }

  @Test
  void severalNodesMayMakeTheTablesAtOnce() throws Exception {
    ExecutorService nodes = Executors.newFixedThreadPool(8);
    Callable<Boolean> node =
        () -> {
          prepare("shop", DEFAULT, true);
          return true;
        };
    for (Future<Boolean> prepared :
        nodes.invokeAll(Stream.generate(() -> node).limit(8).toList())) {
      assertThat(prepared.get()).isTrue();
    }
    nodes.shutdown();

    assertThat(read("SELECT service FROM postbox_schema")).containsExactly("shop");
  }

  @Test
  void theTablesMayHaveASchemaAndAPrefix() throws SQLException {
    execute("CREATE SCHEMA box");

    prepare("shop", new TableNames("box", "pb_"), true);

    assertThat(read("SELECT service FROM box.pb_postbox_schema")).containsExactly("shop");
    assertThat(read("SELECT consumer FROM box.pb_inbox_message")).isEmpty();
    assertThat(read("SELECT consumer FROM box.pb_inbox_stored")).isEmpty();
  }

  @Test
  void anotherServiceRefuses() throws SQLException {
    prepare("shop", DEFAULT, true);

    assertThatThrownBy(() -> prepare("warehouse", DEFAULT, true))
        .isInstanceOf(SchemaException.class)
        .hasMessage(
            "The inbox's table inbox_message belongs to the service 'shop', and this is the service"
                + " 'warehouse'. Give this service tables of its own (postbox.inbox.table-prefix,"
                + " postbox.inbox.schema or another postbox.inbox.data-source), or, if it is the"
                + " same service, set postbox.service=shop.");
  }

  @Test
  void anotherServiceMayHaveTablesOfItsOwnBeside() throws SQLException {
    prepare("shop", DEFAULT, true);
    prepare("warehouse", new TableNames("", "wh_"), true);

    assertThat(read("SELECT service FROM wh_postbox_schema")).containsExactly("warehouse");
  }

  @Test
  void theOutboxMayShareTheTableOfOwners() throws SQLException {
    execute(
        """
        CREATE TABLE postbox_schema (
          module VARCHAR(20) NOT NULL PRIMARY KEY, service VARCHAR(100) NOT NULL,
          version INTEGER NOT NULL, minor_version INTEGER DEFAULT 0 NOT NULL,
          partitions INTEGER)
        """);
    execute("INSERT INTO postbox_schema VALUES ('outbox', 'shop', 1, 0, 16)");

    prepare("shop", DEFAULT, true);

    assertThat(read("SELECT module FROM postbox_schema ORDER BY module"))
        .containsExactly("inbox", "outbox");
  }

  @Test
  void missingTablesRefuse() {
    assertThatThrownBy(() -> prepare("shop", DEFAULT, false))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("postbox_schema cannot be read")
        .hasMessageContaining("Run META-INF/postbox/" + database.name().toLowerCase(Locale.ROOT))
        .hasMessageContaining("/inbox.sql")
        .hasMessageContaining("postbox.inbox.create-tables=true")
        .hasMessageEndingWith(
            " before the application is deployed (a migration that the application runs itself, like"
                + " Flyway or Liquibase in one of its beans, comes too late), or set"
                + " postbox.inbox.create-tables=true.");
  }

  @Test
  void theErrorSaysWhichNamesTheScriptNeeds() throws SQLException {
    execute("CREATE SCHEMA shop");
    assertThatThrownBy(() -> prepare("shop", new TableNames("shop", "pb_"), false))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(
            "/inbox.sql from the inbox's jar (with 'shop.pb_' put before every name of a table, as"
                + " in shop.pb_inbox_message, and 'pb_' before every name of an index or a"
                + " constraint) before the application is deployed");
    assertThatThrownBy(() -> prepare("shop", new TableNames("shop", ""), false))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining(
            "/inbox.sql from the inbox's jar (with 'shop.' put before every name of a table, as in"
                + " shop.inbox_message) before the application is deployed");
  }

  @Test
  void aMissingSchemaRefuses() {
    assertThatThrownBy(() -> prepare("shop", new TableNames("nowhere", ""), true))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("cannot be created");
    assertThatThrownBy(() -> prepare("shop", new TableNames("nowhere", ""), false))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void aTableOfThatNameWithAnotherShapeRefuses() throws SQLException {
    execute("CREATE TABLE inbox_stored (id BIGINT, consumer VARCHAR(100), mail VARCHAR(100))");

    assertThatThrownBy(() -> prepare("shop", DEFAULT, true))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith(
            "The table inbox_stored is not the inbox's: it has no column aggregate_id,")
        .hasMessageContaining("inbox.sql")
        .hasMessageContaining("postbox.inbox.table-prefix or postbox.inbox.schema");
  }

  private void prepare(String service, TableNames tables, boolean create) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      new Schema(Dialect.of(connection, "inbox"), TestConfig.of(service, tables, create))
          .prepare(connection);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> read(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
