package io.postbox.common.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script.Creation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Creates a module's tables if configured to, checks that they have the columns that the statements
 * need, and that they belong to this service. A module adds the rules of its own tables.
 */
public abstract class SchemaInstaller {
  private static final int VERSION = 1;
  private static final Set<String> NO_SUCH_SCHEMA_OR_RIGHT = Set.of("3F000", "90079", "90096");
  private static final Set<String> EXISTS_MEANWHILE = Set.of("42S01", "42S11");

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
  private final Script script;

  /**
   * @param dialect the database's
   * @param module outbox or inbox
   * @param tables where the tables are
   * @param service the service that must own them
   * @param createTables whether to create the missing ones
   * @param forOtherNodes how long to wait for other nodes that create them
   */
  protected SchemaInstaller(
      Dialect dialect,
      String module,
      TableNames tables,
      String service,
      boolean createTables,
      Duration forOtherNodes) {
    this.dialect = dialect;
    this.module = module;
    this.tables = tables;
    this.service = service;
    this.createTables = createTables;
    this.forOtherNodes = forOtherNodes;
    script = Script.read(getClass(), dialect.script(module));
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
   * on several nodes at once.
   *
   * @param connection not part of any transaction
   * @throws SchemaException if the tables are missing, have another shape or another owner
   * @throws TablesInUseException if other transactions are in the way
   */
  public final void prepare(Connection connection) throws SQLException {
    checkIsolation(connection.getTransactionIsolation());
    connection.setAutoCommit(false);
    for (int tries = dialect.triesForCreation(); tries > 0; tries--) {
      try {
        prepareOnce(connection);
        connection.commit();
        return;
      } catch (Throwable failed) {
        LocalTransactions.rollBack(connection, failed);
        if (tries == 1 || !(failed instanceof SQLException)) {
          throw failed;
        }
      }
    }
  }

  private void prepareOnce(Connection connection) throws SQLException {
    execute(connection, dialect.waitForLocks(forOtherNodes));
    lockForCreation(connection);
    createMissing(connection, SchemaInstaller::isTable);
    for (Map.Entry<String, Set<String>> table : script.columnsByTable().entrySet()) {
      checkShape(connection, table.getKey(), table.getValue());
    }
    createMissing(connection, creation -> !isTable(creation)); // indexes need existing columns
    checkOwner(connection);
    fill(connection);
  }

  private void lockForCreation(Connection connection) throws SQLException {
    try {
      execute(connection, dialect.lockForCreation());
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

  private static boolean isTable(Creation creation) {
    return creation.sql().stripLeading().startsWith("CREATE TABLE");
  }

  private void createMissing(Connection connection, Predicate<Creation> which) throws SQLException {
    if (!createTables) {
      return;
    }
    execute(connection, dialect.waitForLocks(WHILE_OTHERS_WAIT));
    Catalogue catalogue =
        dialect == Dialect.POSTGRESQL
            ? Catalogue.read(connection, tables.schema())
            : Catalogue.empty();
    List<Creation> creations = new ArrayList<>(partitionedTables());
    creations.addAll(script.creations(tables));
    for (Creation creation : creations) {
      if (which.test(creation) && needs(creation) && catalogue.lacks(creation.made())) {
        create(connection, creation);
      }
    }
    execute(connection, dialect.waitForLocks(forOtherNodes));
  }

  private void create(Connection connection, Creation creation) throws SQLException {
    try {
      execute(connection, creation.sql());
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
    return NO_SUCH_SCHEMA_OR_RIGHT.contains(state)
        || (state.startsWith("42") && !EXISTS_MEANWHILE.contains(state));
  }

  private void checkShape(Connection connection, String table, Set<String> columns)
      throws SQLException {
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
    checkColumns(table, found);
  }

  /** The script to run, and which names in it need a schema or a prefix. */
  private String scriptToRun() {
    String resource = "%s from the %s's jar".formatted(dialect.script(module), module);
    String before = tables.qualified("");
    if (before.isEmpty()) {
      return resource;
    }
    return resource
        + (tables.prefix().isEmpty()
            ? " (with '%1$s' put before every name of a table, as in %1$s%2$s_message)"
                .formatted(before, module)
            : " (with '%1$s' put before every name of a table, as in %1$s%2$s_message, and '%3$s' before every name of an index or a constraint)"
                .formatted(before, module, tables.prefix()));
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

  private void checkOwner(Connection connection) throws SQLException {
    String table = tables.qualified("postbox_schema");
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT service, version, partitions FROM %s WHERE module = ?".formatted(table))) {
      select.setString(1, module);
      try (ResultSet owner = select.executeQuery()) {
        if (owner.next()) {
          checkOwner(owner.getString(1), owner.getInt(2));
          checkPartitions(owner.getInt(3));
          return;
        }
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO %s (module, service, version, partitions) VALUES (?, ?, ?, NULLIF(?, 0))"
                .formatted(table))) {
      insert.setString(1, module);
      insert.setString(2, service);
      insert.setInt(3, VERSION);
      insert.setInt(4, partitions());
      insert.executeUpdate();
    }
  }

  private void checkOwner(String owner, int version) {
    String table = tables.qualified(module + "_message");
    if (!owner.equals(service)) {
      throw new SchemaException(
          "The %1$s's table %2$s belongs to the service '%3$s', and this is the service '%4$s'. Give this service tables of its own (postbox.%1$s.table-prefix, postbox.%1$s.schema or another postbox.%1$s.data-source), or, if it is the same service, set postbox.service=%3$s."
              .formatted(module, table, owner, service));
    }
    if (version != VERSION) {
      throw new SchemaException(
          "The %1$s's table %2$s has version %3$d, and this %1$s works with version %4$d."
              .formatted(module, table, version, VERSION));
    }
  }

  /** Runs a statement; none if the database needs none. */
  protected static void execute(Connection connection, String sql) throws SQLException {
    if (!sql.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  /** H2 appends the whole statement. */
  private static String withoutStatement(SQLException refused) {
    return String.valueOf(refused.getMessage()).replaceFirst("(?s);?\\s*SQL statement:.*", "");
  }
}
