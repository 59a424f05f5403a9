package io.postbox.common.store;

import io.postbox.common.config.ModuleConfig;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.Script.Creation.Kind;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Creates a module's tables if configured to, checks that they have the columns that the statements
 * need, and that they belong to this service. A module adds the rules of its own tables.
 */
public abstract class SchemaInstaller {
  private static final Set<String> NO_SUCH_SCHEMA_OR_RIGHT = Set.of("3F000", "90079", "90096");

  private static final String SCHEMA = "postbox_schema";

  /**
   * The lock where the database has none. One process uses an H2 database, and a literal is the
   * same object in all its class loaders. Without it, a session finds no table while another one
   * adds a column, which H2 does in a copy, and two that do so wait for each other.
   */
  private static final String ON_H2 = "io.postbox creates tables on H2";

  /** The columns that an insert has to name. H2's LOWER goes by the JVM's locale. */
  private static final String REQUIRED_COLUMNS =
      """
      SELECT column_name FROM information_schema.columns
      WHERE table_schema = COALESCE(NULLIF(?, ''), CURRENT_SCHEMA) AND table_name = ?
        AND is_nullable = 'NO' AND column_default IS NULL
        AND is_identity = 'NO' AND is_generated = 'NEVER'
      """;

  /** How long a statement may wait that creates something: every writer to its table waits too. */
  private static final Duration WHILE_OTHERS_WAIT = Duration.ofMillis(100);

  /** How long to wait for other nodes that do the same; no writer waits behind that. */
  protected static final Duration FOR_OTHER_NODES = Duration.ofSeconds(20);

  protected final Dialect dialect;
  protected final TableNames tables;
  private final String module;
  private final String service;
  private final boolean createTables;
  private final Duration forOtherNodes;
  private final TableScripts scripts;
  private final Script script;

  /**
   * @param module outbox or inbox
   * @param scripts the module's
   * @param config where the tables are, which service owns them, and whether to create them
   * @param forOtherNodes how long to wait for other nodes that create them
   */
  protected SchemaInstaller(
      Dialect dialect,
      String module,
      TableScripts scripts,
      ModuleConfig config,
      Duration forOtherNodes) {
    this.dialect = dialect;
    this.module = module;
    this.tables = config.tables();
    this.service = config.service();
    this.createTables = config.createTables();
    this.forOtherNodes = forOtherNodes;
    this.scripts = scripts;
    script = scripts.all();
  }

  /**
   * Refuses an isolation level at which the module would break its promise.
   *
   * @param level the connection's, by its number in JDBC
   * @throws SchemaException if it is such a level
   */
  protected abstract void checkIsolation(int level);

  /** The statements that create partitioned tables, to be run before the module's script. */
  protected abstract List<Creation> partitionedTables();

  /** Whether the module, configured as it is, uses what a statement of the script creates. */
  protected boolean needs(Creation creation) {
    return true;
  }

  /**
   * Refuses columns that exist but do not fit.
   *
   * @param table without prefix
   * @param columns its columns, in order
   * @throws SchemaException if they do not fit
   */
  protected void checkColumns(String table, List<String> columns) {}

  /**
   * Refuses tables made with another number of partitions.
   *
   * @param partitions the number on record; zero if there is none
   * @throws SchemaException if it is not the configured one
   */
  protected void checkPartitions(int partitions) {}

  /** The configured number of partitions, to be put on record; zero if there are none. */
  protected int partitions() {
    return 0;
  }

  /** Writes the rows that the module's statements expect, and completes partitioned tables. */
  protected abstract void fill(Connection connection) throws SQLException;

  /**
   * Brings the tables to the state in which the module can work, in a transaction of its own. Safe
   * on several nodes at once, also of several releases.
   *
   * @param connection not part of any transaction
   * @return the version of the tables, which may be a later minor one than this release knows
   * @throws SchemaException if the tables are missing, have another shape, version or owner
   * @throws TablesInUseException if other transactions are in the way
   */
  public final TableVersion prepare(Connection connection) throws SQLException {
    checkIsolation(connection.getTransactionIsolation());
    connection.setAutoCommit(false);
    if (dialect == Dialect.H2) {
      synchronized (ON_H2) {
        return prepareInTransaction(connection);
      }
    }
    return prepareInTransaction(connection);
  }

  private TableVersion prepareInTransaction(Connection connection) throws SQLException {
    try {
      lockForCreation(connection);
      TableVersion found = prepareLocked(connection);
      connection.commit();
      return found;
    } catch (Throwable failed) {
      LocalTransactions.rollBack(connection, failed);
      throw failed;
    }
  }

  /** The version of the tables that this release makes. */
  public final TableVersion version() {
    return scripts.version();
  }

  private TableVersion prepareLocked(Connection connection) throws SQLException {
    List<Creation> all = new ArrayList<>(partitionedTables());
    all.addAll(script.creations(tables));
    createMissing(connection, all, this::isOfOwners);
    checkShape(connection, SCHEMA);
    Optional<Owned> owned = owned(connection);
    TableVersion found = owned.isPresent() ? owned.get().version() : scripts.version();
    checkVersion(found);
    boolean isNewer = found.adds(scripts.version());
    if (scripts.version().adds(found)) {
      migrate(connection, found);
      return prepareLocked(connection); // other nodes may have gone on meanwhile
    }
    // A later release may have replaced an index: it is not for this one to create it again.
    List<Creation> own = isNewer ? List.of() : all;
    createMissing(connection, own, creation -> creation.kind() == Kind.TABLE);
    if (owned.isEmpty()) {
      createMissing(connection, own, creation -> creation.kind() == Kind.COLUMN);
    }
    for (String table : script.columnsByTable().keySet()) {
      checkShape(connection, table);
    }
    createMissing(connection, own, creation -> creation.kind() == Kind.INDEX);
    if (owned.isPresent()) {
      checkPartitions(owned.get().partitions());
    } else {
      own(connection);
    }
    fill(connection);
    return isNewer ? found : scripts.version();
  }

  private boolean isOfOwners(Creation creation) {
    return creation.kind() == Kind.TABLE && creation.made().equals(tables.prefix() + SCHEMA);
  }

  private void migrate(Connection connection, TableVersion from) throws SQLException {
    if (!createTables) {
      throw new SchemaException(
          "The %1$s's tables have version %2$s, and this %1$s needs %3$s, which only adds to them. Run %4$s from the %1$s's jar%5$s, while nodes of the release before still run, or set postbox.%1$s.create-tables=true."
              .formatted(
                  module,
                  from,
                  scripts.version(),
                  String.join(", then ", scripts.namesSince(from)),
                  namesToPrefix()));
    }
    for (Script step : scripts.since(from)) {
      for (Creation creation : step.creations(tables)) {
        createMissing(connection, List.of(creation), any -> true);
        connection.commit(); // or the lock on one table would be held while others get theirs
        lockForCreation(connection);
      }
    }
  }

  private void lockForCreation(Connection connection) throws SQLException {
    Sql.execute(connection, dialect.waitForLocks(forOtherNodes));
    try {
      Sql.execute(connection, dialect.lockForCreation());
    } catch (SQLException failed) {
      if (dialect.gaveUpWaiting(failed)) {
        throw new TablesInUseException(
            "another node, or an abandoned session of one, is preparing tables in this database and has not ended (%s)"
                .formatted(failed.getMessage()),
            failed);
      }
      throw failed;
    }
  }

  private void createMissing(
      Connection connection, List<Creation> creations, Predicate<Creation> which)
      throws SQLException {
    if (!createTables) {
      return;
    }
    Sql.execute(connection, dialect.waitForLocks(WHILE_OTHERS_WAIT));
    Catalogue catalogue =
        dialect == Dialect.POSTGRESQL
            ? Catalogue.read(connection, tables.schema())
            : Catalogue.empty();
    for (Creation creation : creations) {
      if (which.test(creation) && needs(creation) && catalogue.lacks(creation)) {
        create(connection, creation);
      }
    }
    Sql.execute(connection, dialect.waitForLocks(forOtherNodes));
  }

  private void create(Connection connection, Creation creation) throws SQLException {
    try {
      Sql.execute(connection, creation.sql());
    } catch (SQLException failed) {
      if (dialect.gaveUpWaiting(failed)) {
        throw new TablesInUseException(
            "%s cannot be created while other transactions use its table (%s)"
                .formatted(creation.made(), failed.getMessage()),
            failed);
      }
      if (isRefusal(failed)) {
        throw new SchemaException(
            "The %1$s's tables cannot be created (%2$s), although postbox.%1$s.create-tables=true. Create the schema that postbox.%1$s.schema names, give the data source's user the right to create tables, or run %3$s and leave that key out."
                .formatted(module, withoutStatement(failed), scriptToRun()),
            failed);
      }
      throw failed;
    }
  }

  /** Whether the database refused a statement, rather than failed to answer. */
  private static boolean isRefusal(SQLException failed) {
    String state = Optional.ofNullable(failed.getSQLState()).orElse("");
    return NO_SUCH_SCHEMA_OR_RIGHT.contains(state) || state.startsWith("42");
  }

  private void checkShape(Connection connection, String table) throws SQLException {
    Set<String> columns = script.columnsByTable().getOrDefault(table, Set.of());
    List<String> found = columnsOf(connection, table);
    Set<String> missing = new TreeSet<>(columns);
    missing.removeAll(found);
    if (!missing.isEmpty()) {
      throw new SchemaException(
          "The table %2$s is not the %1$s's: it has no column %3$s (see %4$s in the %1$s's jar). Rename that table, or give the %1$s other names with postbox.%1$s.table-prefix or postbox.%1$s.schema."
              .formatted(
                  module,
                  tables.qualified(table),
                  String.join(", ", missing),
                  dialect.script(module)));
    }
    if (found.size() > columns.size()) {
      checkUnknown(connection, table, columns);
    }
    checkColumns(table, found);
  }

  /** Columns of a later release, or the application's: an insert that leaves them out must work. */
  private void checkUnknown(Connection connection, String table, Set<String> known)
      throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    Set<String> required =
        new TreeSet<>(
            Sql.list(
                connection,
                REQUIRED_COLUMNS,
                column -> column.getString(1).toLowerCase(Locale.ROOT),
                DatabaseInspection.stored(about, tables.schema()),
                DatabaseInspection.stored(about, tables.prefix() + table)));
    required.removeAll(known);
    if (!required.isEmpty()) {
      throw new SchemaException(
          "The table %2$s has a column that this %1$s does not know and that takes no NULL and has no default: %3$s. Each of its inserts would fail. Give that column a default or let it be NULL; or, if another release of Postbox has added it, deploy that release."
              .formatted(module, tables.qualified(table), String.join(", ", required)));
    }
  }

  /** The script to run, and which names in it need a schema or a prefix. */
  private String scriptToRun() {
    List<String> names = new ArrayList<>(List.of(dialect.script(module)));
    names.addAll(scripts.namesSince(new TableVersion(scripts.version().major(), 0)));
    return "%s from the %s's jar%s"
        .formatted(String.join(", then ", names), module, namesToPrefix());
  }

  private String namesToPrefix() {
    String before = tables.qualified("");
    if (before.isEmpty()) {
      return "";
    }
    return tables.prefix().isEmpty()
        ? " (with '%1$s' put before every name of a table, as in %1$s%2$s_message)"
            .formatted(before, module)
        : " (with '%1$s' put before every name of a table, as in %1$s%2$s_message, and '%3$s' before every name of an index or a constraint)"
            .formatted(before, module, tables.prefix());
  }

  private List<String> columnsOf(Connection connection, String table) throws SQLException {
    String name = tables.qualified(table);
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + name + " WHERE 1 = 0")) {
      ResultSetMetaData found = none.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= found.getColumnCount(); i++) {
        columns.add(found.getColumnName(i).toLowerCase(Locale.ROOT));
      }
      return columns;
    } catch (SQLException failed) {
      if (isRefusal(failed)) {
        throw new SchemaException(
            "The %1$s's table %2$s cannot be read (%3$s). Run %4$s before the application is deployed (a migration that the application runs itself, like Flyway or Liquibase in one of its beans, comes too late), or set postbox.%1$s.create-tables=true."
                .formatted(module, name, withoutStatement(failed), scriptToRun()),
            failed);
      }
      throw failed;
    }
  }

  /** The record about the tables. */
  private record Owned(TableVersion version, int partitions) {}

  private Optional<Owned> owned(Connection connection) throws SQLException {
    return Sql.first(
        connection,
        "SELECT service, version, minor_version, partitions FROM %s WHERE module = ?"
            .formatted(tables.qualified(SCHEMA)),
        owner -> {
          checkOwner(owner.getString(1));
          return new Owned(new TableVersion(owner.getInt(2), owner.getInt(3)), owner.getInt(4));
        },
        module);
  }

  private void own(Connection connection) throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO %s (module, service, version, minor_version, partitions) VALUES (?, ?, ?, ?, NULLIF(?, 0))"
            .formatted(tables.qualified(SCHEMA)),
        module,
        service,
        scripts.version().major(),
        scripts.version().minor(),
        partitions());
  }

  private void checkOwner(String owner) {
    if (!owner.equals(service)) {
      throw new SchemaException(
          "The %1$s's table %2$s belongs to the service '%3$s', and this is the service '%4$s'. Give this service tables of its own (postbox.%1$s.table-prefix, postbox.%1$s.schema or another postbox.%1$s.data-source), or, if it is the same service, set postbox.service=%3$s."
              .formatted(module, tables.qualified(module + "_message"), owner, service));
    }
  }

  private void checkVersion(TableVersion found) {
    TableVersion known = scripts.version();
    if (found.major() > known.major()) {
      throw new SchemaException(
          "The %1$s's tables have version %2$s, and this %1$s works with version %3$s: a later release has changed them, and this node could lose or misread messages. Deploy that release here too, or go back to tables of version %3$s as https://github.com/postbox/postbox/blob/main/docs/upgrading.md says."
              .formatted(module, found, known.major()));
    }
    if (found.major() < known.major()) {
      throw new SchemaException(
          "The %1$s's tables have version %2$s, and this %1$s works with version %3$s. Deploy the release before, or bring the tables to version %3$s as https://github.com/postbox/postbox/blob/main/docs/upgrading.md says."
              .formatted(module, found, known.major()));
    }
  }

  /** H2 appends the whole statement. */
  private static String withoutStatement(SQLException refused) {
    return String.valueOf(refused.getMessage()).replaceFirst("(?s);?\\s*SQL statement:.*", "");
  }
}
