package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.platform.ServerSetting;
import io.postbox.common.store.DatabaseInspection;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.SchemaInstaller;
import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.Sql;
import io.postbox.common.store.TableScripts;
import io.postbox.outbox.config.OutboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Creates and checks the outbox's tables. */
public final class Schema extends SchemaInstaller {
  private static final int MAJOR_VERSION = 1;

  private final OutboxConfig config;
  private final ArchiveTables archive;

  public Schema(Dialect dialect, OutboxConfig config) {
    this(dialect, config, scripts(dialect, Schema.class.getClassLoader()), FOR_OTHER_NODES);
  }

  Schema(Dialect dialect, OutboxConfig config, TableScripts scripts, Duration forOtherNodes) {
    super(dialect, "outbox", scripts, config, forOtherNodes);
    this.config = config;
    archive = new ArchiveTables(config.tables(), config.retention().archivePartitions());
  }

  static TableScripts scripts(Dialect dialect, ClassLoader jar) {
    return new TableScripts(jar, dialect, "outbox", MAJOR_VERSION);
  }

  /** Inspects the database and the outbox's tables in it. */
  public static DatabaseInspection inspection(Dialect dialect, TableNames tables) {
    return new DatabaseInspection(
        dialect, tables, scripts(dialect, Schema.class.getClassLoader()).all(), Set.of());
  }

  @Override
  protected void checkIsolation(int level) {
    if (level != Connection.TRANSACTION_READ_COMMITTED) {
      throw new SchemaException(
          "The data source postbox.outbox.data-source=%s does not work at READ COMMITTED, so the relay could read rows as they were before it had claimed them. %s"
              .formatted(config.dataSource(), ServerSetting.READ_COMMITTED.sentence()));
    }
  }

  @Override
  protected List<Creation> partitionedTables() {
    return archive.creation(dialect);
  }

  /**
   * PostgreSQL computes a row's values in the order of its columns: a transaction must have its
   * number before the row gets its sequence number.
   */
  @Override
  protected void checkColumns(String table, List<String> columns) {
    if (dialect == Dialect.POSTGRESQL
        && table.equals("outbox_message")
        && columns.indexOf("partition_no") > columns.indexOf("seq")) {
      throw new SchemaException(
          "In the table %s the column seq stands in front of partition_no. A transaction could then get its message's place in the order before it is known as a writer, and the relay could pass that message over. Create the table anew with partition_no in front, as in %s."
              .formatted(tables.qualified(table), dialect.script("outbox")));
    }
  }

  @Override
  protected int partitions() {
    return config.partitions();
  }

  @Override
  protected void checkPartitions(int partitions) {
    if (partitions != config.partitions()) {
      throw new SchemaException(
          "The outbox's table %s was made with %s partitions, and postbox.outbox.partitions=%s. The number is fixed as long as there are messages, for it decides where they are: set it back, or empty the outbox first, as https://github.com/postbox/postbox/blob/main/docs/operations.md says."
              .formatted(tables.qualified("outbox_message"), partitions, config.partitions()));
    }
  }

  @Override
  protected void fill(Connection connection) throws SQLException {
    fillPartitions(connection);
    // The first count is due at once.
    Sql.execute(
        connection,
        """
        INSERT INTO %1$s (kind, destination, messages, estimated, since, due_at)
        SELECT 'CLAIM', '', 0, FALSE, %2$s, %2$s
        WHERE NOT EXISTS (SELECT 1 FROM %1$s WHERE kind = 'CLAIM')
        """
            .formatted(tables.qualified("outbox_count"), dialect.now()));
    archive.prepare(connection, dialect);
  }

  private void fillPartitions(Connection connection) throws SQLException {
    String table = tables.qualified("outbox_partition");
    List<Integer> there =
        Sql.list(connection, "SELECT partition_no FROM " + table, row -> row.getInt(1));
    Sql.batch(
        connection,
        "INSERT INTO %s (partition_no) VALUES (?)".formatted(table),
        IntStream.range(0, config.partitions())
            .filter(partition -> !there.contains(partition))
            .boxed()
            .toList(),
        partition -> new Object[] {partition});
  }
}
