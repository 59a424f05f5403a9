package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Catalogue;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.Script;
import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.TablesInUseException;
import io.postbox.inbox.config.InboxConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Makes the tables where that is wanted, checks that they have the shape that the statements need,
 * and that they belong to this service.
 */
public final class Schema {
  private static final int VERSION = 1;
  private static final Set<String> NO_SUCH_SCHEMA_OR_RIGHT = Set.of("90079", "90096", "3F000");

  private static final Set<String> EXISTS_MEANWHILE = Set.of("42S01", "42S11");

  /**
   * How long a statement waits at most that makes something: everybody who writes to its table
   * waits behind it.
   */
  private static final Duration AT_THE_COST_OF_OTHERS = Duration.ofMillis(100);

  /** How long to wait at most for other nodes that do the same; nobody else waits behind that. */
  private static final Duration FOR_OTHER_NODES = Duration.ofSeconds(20);

  private final Dialect dialect;
  private final InboxConfig config;
  private final Script script;
  private final MessageTables messages;
  private final Duration forOtherNodes;

  /**
   * @param dialect the database's
   * @param config where the tables are, whose they are, and whether to make them
   */
  public Schema(Dialect dialect, InboxConfig config) {
    this(dialect, config, FOR_OTHER_NODES);
  }

  Schema(Dialect dialect, InboxConfig config, Duration forOtherNodes) {
    this.dialect = dialect;
    this.config = config;
    this.forOtherNodes = forOtherNodes;
    this.script = Script.read(Dialect.class, dialect.script());
    this.messages = new MessageTables(config);
  }

  /**
   * Brings the tables to the state in which the inbox can work, in a transaction of its own. Safe
   * on several nodes at once.
   *
   * @param connection not part of any transaction
   * @throws SchemaException if the tables are not there, have another shape or another owner
   * @throws TablesInUseException if other transactions are in the way
   */
  public void prepare(Connection connection) throws SQLException {
    checkIsolation(connection);
    connection.setAutoCommit(false);
    for (int tries = dialect.triesForCreation(); tries > 0; tries--) {
      try {
        prepareOnce(connection);
        connection.commit();
        return;
      } catch (Throwable failed) {
        boolean undone = rollBackBecauseOf(failed, connection);
        if (tries == 1 || !undone || failed instanceof SchemaException || failed instanceof Error) {
          throw failed;
        }
      }
    }
  }

  /** What is read of another delivery's row must be certain: that delivery may yet roll back. */
  private void checkIsolation(Connection connection) throws SQLException {
    if (connection.getTransactionIsolation() < Connection.TRANSACTION_READ_COMMITTED) {
      throw new SchemaException(
          "The data source postbox.inbox.data-source=%s reads what is not committed, so a duplicate could be skipped because of a first delivery that rolls back, and the message would be lost. Set isolationLevel=\"TRANSACTION_READ_COMMITTED\" on the dataSource in server.xml."
              .formatted(config.dataSource()));
    }
  }

  private static boolean rollBackBecauseOf(Throwable failed, Connection connection) {
    try {
      connection.rollback();
      return true;
    } catch (SQLException | RuntimeException alsoFailed) {
      failed.addSuppressed(alsoFailed);
      return false;
    }
  }

  private void prepareOnce(Connection connection) throws SQLException {
    execute(connection, dialect.waitForLocks(forOtherNodes));
    lockForCreation(connection);
    createWhatIsMissing(connection, Schema::isTable);
    for (Map.Entry<String, Set<String>> table : script.columnsByTable().entrySet()) {
      checkShape(connection, table.getKey(), table.getValue());
    }
    createWhatIsMissing(connection, creation -> !isTable(creation)); // of columns that are there
    checkOwner(connection);
    makeClaimOnCounting(connection);
    messages.prepare(connection, dialect);
  }

  /** The first count is due at once. */
  private void makeClaimOnCounting(Connection connection) throws SQLException {
    execute(
        connection,
        """
        INSERT INTO %1$s (kind, consumer, messages, bytes, counted_at, due_at)
        SELECT 'CLAIM', '', 0, 0, %2$s, %2$s
        WHERE NOT EXISTS (SELECT 1 FROM %1$s WHERE kind = 'CLAIM')
        """
            .formatted(config.tables().qualified("inbox_count"), dialect.now()));
  }

  private void lockForCreation(Connection connection) throws SQLException {
    try {
      execute(connection, dialect.lockForCreation());
    } catch (SQLException failed) {
      if (dialect.gaveUpWaiting(failed)) {
        throw new TablesInUseException(
            "another node, or what is left of one, prepares tables in this database and has not"
                + " ended (%s)".formatted(failed.getMessage()),
            failed);
      }
      throw failed;
    }
  }

  private static boolean isTable(Creation creation) {
    return creation.sql().stripLeading().startsWith("CREATE TABLE");
  }

  private void createWhatIsMissing(Connection connection, Predicate<Creation> which)
      throws SQLException {
    if (!config.createTables()) {
      return;
    }
    execute(connection, dialect.waitForLocks(AT_THE_COST_OF_OTHERS));
    Catalogue catalogue =
        dialect == Dialect.POSTGRESQL
            ? Catalogue.read(connection, config.tables().schema())
            : Catalogue.empty();
    List<Creation> creations = new ArrayList<>(messages.creation(dialect));
    creations.addAll(script.creations(config.tables()));
    for (Creation creation : creations) {
      if (which.test(creation) && messages.needs(creation) && catalogue.lacks(creation.made())) {
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
            "%s cannot be made while other transactions use its table (%s)"
                .formatted(creation.made(), failed.getMessage()),
            failed);
      }
      if (isRefusal(failed)) {
        throw new SchemaException(
            "The inbox's tables cannot be made ("
                + firstLine(failed)
                + "), although postbox.inbox.create-tables=true. Give the data source's user"
                + " the right to, or run "
                + theScript()
                + " and leave that key out.",
            failed);
      }
      throw failed;
    }
  }

  /** The script to run, and where it needs other names. */
  private String theScript() {
    String script = dialect.script() + " from the inbox's jar";
    TableNames tables = config.tables();
    if (tables.qualified("").isEmpty()) {
      return script;
    }
    return script
        + (tables.prefix().isEmpty()
            ? " (with '%1$s' put before every name of a table, as in %1$sinbox_message)"
                .formatted(tables.qualified(""))
            : " (with '%1$s' put before every name of a table, as in %1$sinbox_message, and '%2$s' before every name of an index or a constraint)"
                .formatted(tables.qualified(""), tables.prefix()));
  }

  private void checkShape(Connection connection, String table, Set<String> columns)
      throws SQLException {
    Set<String> missing = new TreeSet<>(columns);
    missing.removeAll(columnsOf(connection, table));
    if (!missing.isEmpty()) {
      throw new SchemaException(
          "The table "
              + config.tables().qualified(table)
              + " is not the inbox's: it has no column "
              + String.join(", ", missing)
              + " (see "
              + dialect.script()
              + " in the inbox's jar). Rename that table, or give the inbox other names with"
              + " postbox.inbox.table-prefix or postbox.inbox.schema.");
    }
  }

  private Set<String> columnsOf(Connection connection, String table) throws SQLException {
    String name = config.tables().qualified(table);
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + name + " WHERE 1 = 0")) {
      ResultSetMetaData found = none.getMetaData();
      Set<String> columns = new HashSet<>();
      for (int i = 1; i <= found.getColumnCount(); i++) {
        columns.add(found.getColumnName(i).toLowerCase(Locale.ROOT));
      }
      return columns;
    } catch (SQLException failed) {
      if (isRefusal(failed)) {
        throw new SchemaException(
            "The inbox's table "
                + name
                + " cannot be read ("
                + firstLine(failed)
                + "). Run "
                + theScript()
                + ", or set postbox.inbox.create-tables=true. A migration must"
                + " have run before the application is deployed: one that the application runs"
                + " itself, like Flyway or Liquibase in one of its beans, comes too late.",
            failed);
      }
      throw failed;
    }
  }

  private void checkOwner(Connection connection) throws SQLException {
    String table = config.tables().qualified("postbox_schema");
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT service, version FROM %s WHERE module = 'inbox'".formatted(table));
        ResultSet owner = select.executeQuery()) {
      if (owner.next()) {
        check(owner.getString(1), owner.getInt(2));
        return;
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO %s (module, service, version) VALUES ('inbox', ?, ?)".formatted(table))) {
      insert.setString(1, config.service());
      insert.setInt(2, VERSION);
      insert.executeUpdate();
    }
  }

  private void check(String service, int version) {
    String tables = config.tables().qualified("inbox_message");
    if (!service.equals(config.service())) {
      throw new SchemaException(
          "The inbox's table "
              + tables
              + " belongs to the service '"
              + service
              + "', and this is the service '"
              + config.service()
              + "'. Give this service tables of its own (postbox.inbox.table-prefix,"
              + " postbox.inbox.schema or another postbox.inbox.data-source), or, if it is the"
              + " same service, set postbox.service="
              + service
              + ".");
    }
    if (version != VERSION) {
      throw new SchemaException(
          "The inbox's table %s has version %d, and this inbox works with version %d."
              .formatted(tables, version, VERSION));
    }
  }

  /** Whether the database answered that it will not, rather than that it cannot at the moment. */
  private static boolean isRefusal(SQLException failed) {
    String state = failed.getSQLState();
    return state != null
        && (NO_SUCH_SCHEMA_OR_RIGHT.contains(state)
            || (state.startsWith("42") && !EXISTS_MEANWHILE.contains(state)));
  }

  /** H2 goes on with the whole statement. */
  private static String firstLine(SQLException failed) {
    return String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    if (sql.isEmpty()) {
      return; // the database needs no such thing
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
