package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Catalogue;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.Script;
import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.TablesInUseException;
import io.postbox.outbox.config.OutboxConfig;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the tables where that is wanted, checks that they have the shape that the statements need,
 * and that they belong to this service.
 */
public final class Schema {
  private static final int VERSION = 1;
  private static final Set<String> NO_SUCH_SCHEMA_OR_RIGHT = Set.of("3F000", "90079", "90096");
  private static final Set<String> EXISTS_MEANWHILE = Set.of("42S01", "42S11");

  /**
   * How long a statement waits at most that makes something: everybody who writes to its table
   * waits behind it.
   */
  private static final Duration AT_THE_COST_OF_OTHERS = Duration.ofMillis(100);

  /** How long to wait at most for other nodes that do the same; nobody else waits behind that. */
  private static final Duration FOR_OTHER_NODES = Duration.ofSeconds(20);

  private final Dialect dialect;
  private final OutboxConfig config;
  private final Script script;
  private final ArchiveTables archive;
  private final Duration forOtherNodes;

  /**
   * @param dialect the database's
   * @param config where the tables are, whose they are, and whether to make them
   */
  public Schema(Dialect dialect, OutboxConfig config) {
    this(dialect, config, FOR_OTHER_NODES);
  }

  Schema(Dialect dialect, OutboxConfig config, Duration forOtherNodes) {
    this.dialect = dialect;
    this.config = config;
    this.forOtherNodes = forOtherNodes;
    script = Script.read(Dialect.class, dialect.script());
    archive = new ArchiveTables(config.tables(), config.retention().archivePartitions());
  }

  /**
   * Brings the tables to the state in which the outbox can work, in a transaction of its own. Safe
   * on several nodes at once.
   *
   * @param connection not part of any transaction
   * @throws SchemaException if the tables are not there, have another shape or another owner
   * @throws TablesInUseException if other transactions are in the way
   */
  public void prepare(Connection connection) throws SQLException {
    if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
      throw new SchemaException(
          "The data source postbox.outbox.data-source=%s does not work at READ COMMITTED, so the relay could read rows as they were before it had claimed them. Set isolationLevel=\"TRANSACTION_READ_COMMITTED\" on the dataSource in server.xml."
              .formatted(config.dataSource()));
    }
    connection.setAutoCommit(false);
    for (int tries = dialect.triesForCreation(); tries > 0; tries--) {
      try {
        prepareOnce(connection);
        connection.commit();
        return;
      } catch (Throwable failed) {
        Connections.rollBack(connection, failed);
        if (tries == 1 || !(failed instanceof SQLException)) {
          throw failed;
        }
      }
    }
  }

  private void prepareOnce(Connection connection) throws SQLException {
    execute(connection, dialect.waitForLocks(forOtherNodes));
    lockForCreation(connection);
    if (config.createTables()) {
      execute(connection, dialect.waitForLocks(AT_THE_COST_OF_OTHERS));
      createWhatIsMissing(connection);
      execute(connection, dialect.waitForLocks(forOtherNodes));
    }
    for (Map.Entry<String, Set<String>> table : script.columnsByTable().entrySet()) {
      checkShape(connection, table.getKey(), table.getValue());
    }
    checkOwner(connection);
    fillPartitions(connection);
    makeClaimOnCounting(connection);
    archive.prepare(connection, dialect);
  }

  private void lockForCreation(Connection connection) throws SQLException {
    try {
      execute(connection, dialect.lockForCreation());
    } catch (SQLException refused) {
      if (dialect.gaveUpWaiting(refused)) {
        throw new TablesInUseException(
            "another node, or what is left of one, prepares tables in this database and has not"
                + " ended (%s)".formatted(refused.getMessage()),
            refused);
      }
      throw refused;
    }
  }

  private void createWhatIsMissing(Connection connection) throws SQLException {
    Catalogue catalogue =
        dialect == Dialect.POSTGRESQL
            ? Catalogue.read(connection, config.tables().schema())
            : Catalogue.empty();
    List<Creation> creations = new ArrayList<>(archive.creation(dialect));
    creations.addAll(script.creations(config.tables()));
    for (Creation creation : creations) {
      if (catalogue.lacks(creation.made())) {
        create(connection, creation);
      }
    }
  }

  private void create(Connection connection, Creation creation) throws SQLException {
    try {
      execute(connection, creation.sql());
    } catch (SQLException refused) {
      if (dialect.gaveUpWaiting(refused)) {
        throw new TablesInUseException(
            "%s cannot be made while other transactions use its table (%s)"
                .formatted(creation.made(), refused.getMessage()),
            refused);
      }
      if (isAboutNamesOrRights(refused)) {
        throw new SchemaException(
            "The outbox's table %s and its others cannot be made (%s). Create the schema that postbox.outbox.schema names, let the user create tables, or run %s and set postbox.outbox.create-tables=false."
                .formatted(
                    config.tables().qualified("outbox_message"),
                    withoutStatement(refused),
                    theScript()),
            refused);
      }
      throw refused;
    }
  }

  /** As opposed to a database that does not answer. H2 has numbers of its own for some. */
  private static boolean isAboutNamesOrRights(SQLException refused) {
    String state = Optional.ofNullable(refused.getSQLState()).orElse("");
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
          "The table "
              + config.tables().qualified(table)
              + " is not the outbox's: it has no column "
              + String.join(", ", missing)
              + ". Rename that table, or give the outbox other names with"
              + " postbox.outbox.table-prefix or postbox.outbox.schema.");
    }
    if (dialect.numbersWritersInColumnOrder()
        && table.equals("outbox_message")
        && found.indexOf("partition_no") > found.indexOf("seq")) {
      throw new SchemaException(
          "In the table %s the column seq stands in front of partition_no. A transaction could then get its message's place in the order before it is known as a writer, and the relay could pass that message over. Make the table anew with partition_no in front, as %s has it."
              .formatted(config.tables().qualified(table), dialect.script()));
    }
  }

  /** The script to run, and where it needs other names. */
  private String theScript() {
    String script = dialect.script() + " from the outbox's jar";
    TableNames tables = config.tables();
    if (tables.qualified("").isEmpty()) {
      return script;
    }
    return script
        + (tables.prefix().isEmpty()
            ? " (with '%1$s' put before every name of a table, as in %1$soutbox_message)"
                .formatted(tables.qualified(""))
            : " (with '%1$s' put before every name of a table, as in %1$soutbox_message, and '%2$s' before every name of an index or a constraint)"
                .formatted(tables.qualified(""), tables.prefix()));
  }

  private List<String> columnsOf(Connection connection, String table) throws SQLException {
    String name = config.tables().qualified(table);
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + name + " WHERE 1 = 0")) {
      ResultSetMetaData found = none.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= found.getColumnCount(); i++) {
        columns.add(found.getColumnName(i).toLowerCase(Locale.ROOT));
      }
      return columns;
    } catch (SQLException refused) {
      if (isAboutNamesOrRights(refused)) {
        throw new SchemaException(
            "The outbox's table "
                + name
                + " cannot be read ("
                + withoutStatement(refused)
                + "). Run "
                + theScript()
                + " before the application is deployed (a migration of its own"
                + " comes too late), or set postbox.outbox.create-tables=true.",
            refused);
      }
      throw refused;
    }
  }

  private void checkOwner(Connection connection) throws SQLException {
    String table = config.tables().qualified("postbox_schema");
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT service, version, partitions FROM %s WHERE module = 'outbox'"
                    .formatted(table));
        ResultSet owner = select.executeQuery()) {
      if (owner.next()) {
        check(owner.getString(1), owner.getInt(2), owner.getInt(3));
        return;
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO %s (module, service, version, partitions) VALUES ('outbox', ?, ?, ?)
            """
                .formatted(table))) {
      insert.setString(1, config.service());
      insert.setInt(2, VERSION);
      insert.setInt(3, config.partitions());
      insert.executeUpdate();
    }
  }

  private void check(String service, int version, int partitions) {
    String tables = config.tables().qualified("outbox_message");
    if (!service.equals(config.service())) {
      throw new SchemaException(
          "The outbox's table "
              + tables
              + " belongs to the service '"
              + service
              + "', and this is the service '"
              + config.service()
              + "'. Give this service tables of its own (postbox.outbox.table-prefix,"
              + " postbox.outbox.schema or another postbox.outbox.data-source), or, if it is the"
              + " same service, set postbox.service="
              + service
              + ".");
    }
    if (version != VERSION) {
      throw new SchemaException(
          "The outbox's table %s has version %d, and this outbox works with version %d."
              .formatted(tables, version, VERSION));
    }
    if (partitions != config.partitions()) {
      throw new SchemaException(
          "The outbox's table %s was made with %d partitions, and postbox.outbox.partitions=%d. The number is fixed as long as there are messages, for it decides where they are: set it back, or empty the outbox first, as docs/operations.md says."
              .formatted(tables, partitions, config.partitions()));
    }
  }

  private void fillPartitions(Connection connection) throws SQLException {
    String table = config.tables().qualified("outbox_partition");
    Set<Integer> there = new HashSet<>();
    try (Statement select = connection.createStatement();
        ResultSet rows = select.executeQuery("SELECT partition_no FROM " + table)) {
      while (rows.next()) {
        there.add(rows.getInt(1));
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO %s (partition_no) VALUES (?)".formatted(table))) {
      for (int partition = 0; partition < config.partitions(); partition++) {
        if (!there.contains(partition)) {
          insert.setInt(1, partition);
          insert.executeUpdate();
        }
      }
    }
  }

  /** The first count is due at once. */
  private void makeClaimOnCounting(Connection connection) throws SQLException {
    execute(
        connection,
        """
        INSERT INTO %1$s (kind, destination, messages, estimated, since, due_at)
        SELECT 'CLAIM', '', 0, FALSE, %2$s, %2$s
        WHERE NOT EXISTS (SELECT 1 FROM %1$s WHERE kind = 'CLAIM')
        """
            .formatted(config.tables().qualified("outbox_count"), dialect.now()));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    if (sql.isEmpty()) {
      return; // the database needs no such thing
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** H2 adds the whole statement. */
  private static String withoutStatement(SQLException refused) {
    return String.valueOf(refused.getMessage()).replaceFirst("(?s);?\\s*SQL statement:.*", "");
  }
}
