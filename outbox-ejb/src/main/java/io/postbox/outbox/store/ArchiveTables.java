package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.Script;
import io.postbox.common.store.Sql;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The archive's partitions on PostgreSQL, which are dropped as a whole. Thread-safe. */
public final class ArchiveTables {
  private static final String IS_DIVIDED =
      "SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass(?)";

  private static final String TABLES =
      """
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass(?)
      """;

  private static final String NOW = "SELECT clock_timestamp()";

  /**
   * Short, because a session that waits for a lock on the archive makes every relay wait behind it.
   */
  private static final String NEVER_WAIT_LONG = "SET LOCAL lock_timeout = '100ms'";

  private static final String DIVIDED = "outbox-archive-divided";

  private final TableNames tables;
  private final ArchivePartitions size;

  /**
   * @param tables where the tables are
   * @param size the period of the archive's partitions
   */
  public ArchiveTables(TableNames tables, ArchivePartitions size) {
    this.tables = tables;
    this.size = size;
  }

  /**
   * The statements that create the partitioned archive; they run before the script that would
   * create it without partitions.
   */
  List<Script.Creation> creation(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL && isWanted()
        ? Script.read(ArchiveTables.class, dialect.script(DIVIDED)).creations(tables)
        : List.of();
  }

  /** Whether the archive should be partitioned. */
  public boolean isWanted() {
    return size != ArchivePartitions.NONE;
  }

  /**
   * Checks that the archive is partitioned exactly if configured so, and creates missing
   * partitions.
   *
   * @throws SchemaException if it is not as configured
   */
  void prepare(Connection connection, Dialect dialect) throws SQLException {
    if (dialect == Dialect.POSTGRESQL) {
      check(connection, dialect);
      if (isWanted()) {
        make(connection);
      }
    } else if (isWanted()) {
      throw new SchemaException(
          "postbox.outbox.archive-partitions=%s needs PostgreSQL, and this is %s. Leave it at none: the archive is then deleted row by row."
              .formatted(value(), dialect));
    }
  }

  private void check(Connection connection, Dialect dialect) throws SQLException {
    if (isDivided(connection) == isWanted()) {
      return;
    }
    String archive = tables.qualified("outbox_archive");
    throw new SchemaException(
        isWanted()
            ? "postbox.outbox.archive-partitions=%s, but the table %s is not partitioned. Rename it or drop it; %s, which create-tables=true runs, creates the partitioned one."
                .formatted(value(), archive, dialect.script(DIVIDED))
            : "The table %s is partitioned by time, but postbox.outbox.archive-partitions=none: no node would create its partitions, and sending or discarding would fail. Set it to daily or monthly."
                .formatted(archive));
  }

  private String value() {
    return size.name().toLowerCase(Locale.ROOT);
  }

  private boolean isDivided(Connection connection) throws SQLException {
    return Sql.first(
            connection, IS_DIVIDED, row -> row.getBoolean(1), tables.qualified("outbox_archive"))
        .orElse(false);
  }

  /**
   * Creates the tables of the present and the next period. Each is created first and then attached,
   * which blocks no write to the archive.
   *
   * @return how many were created
   */
  public int make(Connection connection) throws SQLException {
    List<ArchivePeriod> missing = ArchivePeriod.missing(there(connection), now(connection), size);
    for (ArchivePeriod period : missing) {
      String table = tables.qualified(period.table());
      String archive = tables.qualified("outbox_archive");
      Sql.execute(connection, NEVER_WAIT_LONG);
      Sql.execute(
          connection,
          "CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)"
              .formatted(table, archive));
      Sql.execute(
          connection,
          "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s 00:00:00+00') TO ('%s 00:00:00+00')"
              .formatted(archive, table, period.from(), period.until()));
    }
    return missing.size();
  }

  /**
   * Drops the oldest table whose rows are all past their retention. Only one in a transaction,
   * because a drop locks the archive.
   *
   * @param before the end of the retention
   * @return whether there was one
   */
  public boolean drop(Connection connection, Instant before) throws SQLException {
    List<ArchivePeriod> over =
        there(connection).stream().filter(it -> it.isBefore(before)).toList();
    if (over.isEmpty()) {
      return false;
    }
    Sql.execute(connection, NEVER_WAIT_LONG);
    Sql.execute(connection, "DROP TABLE " + tables.qualified(over.get(0).table()));
    return true;
  }

  private static Instant now(Connection connection) throws SQLException {
    return Sql.one(connection, NOW, row -> Sql.instant(row, 1));
  }

  private List<ArchivePeriod> there(Connection connection) throws SQLException {
    int prefix = tables.prefix().length();
    return Sql.list(connection, TABLES, row -> row.getString(1), tables.qualified("outbox_archive"))
        .stream()
        .filter(name -> name.length() > prefix)
        .flatMap(name -> ArchivePeriod.of(name.substring(prefix)).stream())
        .sorted(Comparator.comparing(ArchivePeriod::from))
        .toList();
  }
}
