package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.SchemaInstaller;
import io.postbox.common.store.Script;
import io.postbox.common.store.TableVersion;
import io.postbox.common.store.TablesInUseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rules for nodes of two releases on one set of tables. The later release is this one with the
 * scripts of {@link NextTables}.
 */
public abstract class TableVersionRules {
  private static final TableVersion THIS = new TableVersion(1, 0);
  private static final boolean CREATE = true;
  private static final boolean FIND = false;

  private final String module;
  private final ClassLoader jar;

  /**
   * @param owner a class of the module's jar
   * @param module outbox or inbox
   */
  protected TableVersionRules(Class<?> owner, String module) {
    this.module = module;
    jar = owner.getClassLoader();
  }

  /** Connects to a database. */
  @FunctionalInterface
  protected interface Sessions {
    Connection connect() throws SQLException;
  }

  /** A database without tables. */
  protected abstract Sessions fresh(Dialect dialect) throws SQLException;

  /** The module's, for the service {@code shop}. */
  protected abstract SchemaInstaller installer(
      Dialect dialect, ClassLoader jar, TableNames tables, boolean createTables);

  private TableVersion start(Sessions database, Dialect dialect, int minor, boolean create)
      throws SQLException {
    return start(database, dialect, minor, create, new TableNames("", ""));
  }

  private TableVersion start(
      Sessions database, Dialect dialect, int minor, boolean create, TableNames tables)
      throws SQLException {
    ClassLoader release = minor == 0 ? jar : new NextTables(jar, minor);
    try (Connection connection = database.connect()) {
      return installer(dialect, release, tables, create).prepare(connection);
    }
  }

  private static void execute(Sessions database, String... statements) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private TableVersion recorded(Sessions database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT version, minor_version FROM postbox_schema WHERE module = '%s'"
                    .formatted(module))) {
      row.next();
      return new TableVersion(row.getInt(1), row.getInt(2));
    }
  }

  private long count(Sessions database, String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void assertHasRegions(Sessions database) throws SQLException {
    assertThat(count(database, "SELECT COUNT(region) FROM %s_message".formatted(module))).isZero();
    assertThat(count(database, "SELECT COUNT(name) FROM %s_region".formatted(module))).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aNodeWorksOnTablesThatALaterReleaseHasMade(Dialect dialect) throws SQLException {
    Sessions database = fresh(dialect);
    TableVersion next = start(database, dialect, 2, CREATE);

    assertThat(next).isEqualTo(new TableVersion(1, 2));
    assertThat(start(database, dialect, 0, CREATE)).isEqualTo(next);
    assertThat(start(database, dialect, 0, FIND)).isEqualTo(next);
    assertThat(start(database, dialect, 1, FIND)).isEqualTo(next);
    assertThat(recorded(database)).isEqualTo(next);
    assertHasRegions(database);
  }

  /** A later release may do without one, and each write would pay for it. */
  @ParameterizedTest
  @EnumSource
  void anOlderNodeCreatesNothingOnThem(Dialect dialect) throws SQLException {
    Sessions database = fresh(dialect);
    start(database, dialect, 1, CREATE);
    String index = module + "_action_turn_ix";
    execute(database, "DROP INDEX " + index);
    start(database, dialect, 0, CREATE);

    execute(
        database,
        "CREATE INDEX %s ON %s_action (turn_at)".formatted(index, module)); // it was not there
  }

  @ParameterizedTest
  @EnumSource
  void olderTablesRefuseNamingBothWaysOut(Dialect dialect) throws SQLException {
    Sessions database = fresh(dialect);
    start(database, dialect, 0, CREATE);

    assertThatThrownBy(() -> start(database, dialect, 2, FIND))
        .isInstanceOf(SchemaException.class)
        .hasMessage(
            "The %1$s's tables have version 1.0, and this %1$s needs 1.2, which only adds to them."
                + " Run META-INF/postbox/%2$s/%1$s-1.1.sql, then META-INF/postbox/%2$s/%1$s-1.2.sql"
                + " from the %1$s's jar, while nodes of the release before still run, or set"
                + " postbox.%1$s.create-tables=true.",
            module, dialect.name().toLowerCase(Locale.ROOT));
    assertThat(recorded(database)).isEqualTo(THIS);
  }

  @ParameterizedTest
  @EnumSource
  void theScriptsCanBeRunByHandMoreThanOnce(Dialect dialect) throws Exception {
    Sessions database = fresh(dialect);
    start(database, dialect, 0, CREATE);
    ClassLoader next = new NextTables(jar, 2);
    for (int i = 0; i < 2; i++) {
      for (String version : List.of("-1.1", "-1.2")) {
        execute(
            database,
            Script.read(next, dialect.script(module + version))
                .statements()
                .toArray(String[]::new));
      }
    }

    assertThat(recorded(database)).isEqualTo(new TableVersion(1, 2));
    assertThat(start(database, dialect, 2, FIND)).isEqualTo(new TableVersion(1, 2));
    assertHasRegions(database);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatMayCreateTablesAddsWhatIsMissing(Dialect dialect) throws SQLException {
    for (TableNames tables : List.of(new TableNames("", ""), new TableNames("apart", "pb_"))) {
      Sessions database = fresh(dialect);
      execute(database, "CREATE SCHEMA apart");
      start(database, dialect, 0, CREATE, tables);

      for (int minor = 1; minor <= 2; minor++) {
        assertThat(start(database, dialect, minor, CREATE, tables))
            .isEqualTo(new TableVersion(1, minor));
        assertThat(start(database, dialect, minor, FIND, tables))
            .isEqualTo(new TableVersion(1, minor));
        start(database, dialect, 0, FIND, tables);
      }
    }
  }

  /** H2 commits each of these statements by itself, and so may an operator. */
  @ParameterizedTest
  @EnumSource
  void aHalfFinishedScriptIsCompleted(Dialect dialect) throws SQLException {
    List<String> steps =
        Script.read(new NextTables(jar, 1), dialect.script(module + "-1.1")).statements();
    for (int done = 1; done < steps.size(); done += 3) {
      Sessions database = fresh(dialect);
      start(database, dialect, 0, CREATE);
      execute(database, steps.subList(0, done).toArray(String[]::new));

      assertThat(start(database, dialect, 0, FIND)).isEqualTo(THIS);
      assertThat(start(database, dialect, 1, CREATE)).isEqualTo(new TableVersion(1, 1));
      assertHasRegions(database);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nodesOfBothReleasesMayStartAtOnce(Dialect dialect) throws Exception {
    for (boolean areThere : new boolean[] {true, false}) {
      Sessions database = fresh(dialect);
      if (areThere) {
        start(database, dialect, 0, CREATE);
      }
      int nodes = 6;
      ExecutorService executor = Executors.newFixedThreadPool(nodes);
      try {
        CyclicBarrier together = new CyclicBarrier(nodes);
        List<Future<TableVersion>> started = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
          int minor = i % 2;
          started.add(
              executor.submit(
                  () -> {
                    together.await();
                    return start(database, dialect, minor, CREATE);
                  }));
        }
        for (int i = 0; i < nodes; i++) {
          assertThat(started.get(i).get())
              .isIn(
                  i % 2 == 0
                      ? List.of(THIS, new TableVersion(1, 1))
                      : List.of(new TableVersion(1, 1)));
        }
      } finally {
        executor.shutdownNow();
      }
      assertThat(recorded(database)).isEqualTo(new TableVersion(1, 1));
      assertHasRegions(database);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherMajorVersionRefusesNamingBothWaysOut(Dialect dialect) throws SQLException {
    Sessions database = fresh(dialect);
    start(database, dialect, 0, CREATE);
    execute(database, "UPDATE postbox_schema SET version = 2, minor_version = 3");

    for (boolean create : new boolean[] {CREATE, FIND}) {
      assertThatThrownBy(() -> start(database, dialect, 0, create))
          .isInstanceOf(SchemaException.class)
          .hasMessage(
              "The %1$s's tables have version 2.3, and this %1$s works with version 1: a later"
                  + " release has changed them, and this node could lose or misread messages."
                  + " Deploy that release here too, or go back to tables of version 1 as"
                  + " https://github.com/postbox/postbox/blob/main/docs/upgrading.md says.",
              module);
    }
    execute(database, "UPDATE postbox_schema SET version = 0, minor_version = 9");
    assertThatThrownBy(() -> start(database, dialect, 0, CREATE))
        .isInstanceOf(SchemaException.class)
        .hasMessage(
            "The %1$s's tables have version 0.9, and this %1$s works with version 1. Deploy the"
                + " release before, or bring the tables to version 1 as"
                + " https://github.com/postbox/postbox/blob/main/docs/upgrading.md says.",
            module);
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownColumnMustLetInsertsLeaveItOut(Dialect dialect) throws SQLException {
    Sessions database = fresh(dialect);
    start(database, dialect, 1, CREATE);
    String alter = "ALTER TABLE %s_switch ADD COLUMN ".formatted(module);
    execute(
        database,
        alter + "colour VARCHAR(9)",
        alter + "weight INTEGER DEFAULT 7 NOT NULL",
        alter
            + "twice INTEGER GENERATED ALWAYS AS (weight * 2) "
            + (dialect == Dialect.POSTGRESQL ? "STORED" : ""),
        alter + "no BIGINT GENERATED ALWAYS AS IDENTITY");
    for (int minor = 0; minor <= 1; minor++) {
      start(database, dialect, minor, CREATE);
    }

    execute(database, alter + "size INTEGER NOT NULL");
    for (int minor = 0; minor <= 1; minor++) {
      int release = minor;
      assertThatThrownBy(() -> start(database, dialect, release, CREATE))
          .isInstanceOf(SchemaException.class)
          .hasMessageStartingWith(
              "The table %1$s_switch has a column that this %1$s does not know and that takes no"
                  + " NULL and has no default: size. Each of its inserts would fail.",
              module);
    }
  }

  /** The lock that a column needs waits for whoever uses the table, and all others behind it. */
  @Test
  void aTransactionThatTakesItsTimeIsNotWaitedFor() throws SQLException {
    Sessions database = fresh(Dialect.POSTGRESQL);
    start(database, Dialect.POSTGRESQL, 0, CREATE);
    String use = "LOCK TABLE %s_message IN ROW EXCLUSIVE MODE".formatted(module);
    String useWithin5s = "SET LOCAL statement_timeout = '5s'; " + use;
    try (Connection longOne = database.connect();
        Statement statement = longOne.createStatement()) {
      longOne.setAutoCommit(false);
      statement.execute(use);

      assertThatThrownBy(() -> start(database, Dialect.POSTGRESQL, 1, CREATE))
          .isInstanceOf(TablesInUseException.class)
          .hasMessageStartingWith(
              module + "_message.region cannot be created while other transactions use its table");
      assertThatCode(() -> inTransaction(database, useWithin5s)).doesNotThrowAnyException();
      assertThat(start(database, Dialect.POSTGRESQL, 0, CREATE)).isEqualTo(THIS);
      longOne.commit();
    }
    assertThat(start(database, Dialect.POSTGRESQL, 1, CREATE)).isEqualTo(new TableVersion(1, 1));
  }

  /** Otherwise whoever uses a table that has its column would wait for an index elsewhere. */
  @Test
  void additionsToOneTableAreCommittedBeforeTheNext() throws SQLException {
    Sessions database = fresh(Dialect.POSTGRESQL);
    start(database, Dialect.POSTGRESQL, 0, CREATE);
    String second = module.equals("inbox") ? "inbox_stored" : "outbox_archive";
    try (Connection longOne = database.connect();
        Statement statement = longOne.createStatement()) {
      longOne.setAutoCommit(false);
      statement.execute("LOCK TABLE %s IN ROW EXCLUSIVE MODE".formatted(second));

      assertThatThrownBy(() -> start(database, Dialect.POSTGRESQL, 1, CREATE))
          .isInstanceOf(TablesInUseException.class)
          .hasMessageStartingWith(second + ".looked_at cannot be created");
      assertThat(count(database, "SELECT COUNT(region) FROM %s_message".formatted(module)))
          .isZero();
      assertThat(recorded(database)).isEqualTo(THIS);
    }
    assertThat(start(database, Dialect.POSTGRESQL, 1, CREATE)).isEqualTo(new TableVersion(1, 1));
  }

  /** Nor does a node whose tables have all that it needs lock any of them. */
  @Test
  void whereNothingIsMissingNoTableIsLocked() throws SQLException {
    Sessions database = fresh(Dialect.POSTGRESQL);
    start(database, Dialect.POSTGRESQL, 1, CREATE);
    try (Connection longOne = database.connect();
        Statement statement = longOne.createStatement()) {
      longOne.setAutoCommit(false);
      statement.execute("LOCK TABLE %s_message IN ROW EXCLUSIVE MODE".formatted(module));

      for (int minor = 0; minor <= 1; minor++) {
        assertThat(start(database, Dialect.POSTGRESQL, minor, CREATE))
            .isEqualTo(new TableVersion(1, 1));
      }
    }
  }

  private static void inTransaction(Sessions database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(sql);
      connection.commit();
    }
  }
}
