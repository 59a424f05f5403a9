package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.Script;
import io.postbox.common.store.Sql;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import io.postbox.inbox.store.IdRange.Bounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The daily partitions of {@code inbox_message} on PostgreSQL: each day's ids have a table of their
 * own, which is dropped as a whole. Thread-safe.
 */
public final class MessageTables {
  /** How many days ahead tables are created, in case no node can create any for as long. */
  static final int AHEAD = 7;

  private static final Duration LONGEST_RETENTION = Duration.ofDays(400);
  private static final String NO_RIGHT = "42501";

  /**
   * No such table or partition any more; begun to be detached, or done with it, since; dropped
   * while it was looked at.
   */
  private static final Set<String> DONE_BY_ANOTHER = Set.of("42P01", "55000", "XX000");

  /** A limit of the session would stay there, behind a pooler for whoever has it next. */
  private static final int SECONDS_TO_WAIT = 20;

  private static final String NOW = "SELECT clock_timestamp()";
  private static final String WAIT_IN_TRANSACTION = "SET LOCAL lock_timeout = '20s'";

  private static final String DIVIDED = "inbox-divided";

  /**
   * The comment on a table that is about to be dropped, unlike one that an operator detached to
   * keep.
   */
  private static final String GIVEN_UP = "Postbox drops this table";

  private static final String IS_DIVIDED =
      "SELECT c.relkind = 'p' FROM pg_class c WHERE c.oid = to_regclass(?)";

  private static final String ATTACHED =
      """
      SELECT c.relname, i.inhdetachpending FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass(?)
      """;

  private static final String DETACHED =
      """
      SELECT c.relname, TRUE FROM pg_class c
      WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass(?))
        AND obj_description(c.oid, 'pg_class') = '%s'
        AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid)
      """
          .formatted(GIVEN_UP);

  private final TableNames tables;
  private final boolean wanted;
  private final String unfinished;
  private final Duration longest;
  private final String message;

  /**
   * @param config has the place of the tables, their partitioning, and the retention of ids
   */
  public MessageTables(InboxConfig config) {
    tables = config.tables();
    wanted = config.tablePartitioning() == TablePartitioning.DAILY;
    longest = config.longestRetention();
    message = tables.qualified("inbox_message");
    unfinished =
        "SELECT 1 FROM %s WHERE captured AND status <> 'PROCESSED' AND message_id >= ? AND message_id < ? FETCH FIRST 1 ROW ONLY"
            .formatted(tables.qualified("inbox_stored"));
  }

  /** Whether the table should be partitioned. */
  public boolean isWanted() {
    return wanted;
  }

  /**
   * The statements that create the partitioned table; they run before the script that would create
   * it without partitions.
   */
  List<Script.Creation> creation(Dialect dialect) {
    return dialect == Dialect.POSTGRESQL && wanted
        ? Script.read(MessageTables.class, dialect.script(DIVIDED)).creations(tables)
        : List.of();
  }

  /** Whether any statement uses a table or index: none searches a partitioned table by time. */
  boolean needs(Script.Creation creation) {
    return !wanted || !creation.made().equals(tables.prefix() + "inbox_message_processed_ix");
  }

  /**
   * Checks that the table is partitioned exactly if configured so, and creates missing partitions.
   *
   * @throws SchemaException if it is not as configured, or partitions cannot be created
   */
  void prepare(Connection connection, Dialect dialect) throws SQLException {
    if (dialect != Dialect.POSTGRESQL && wanted) {
      throw new SchemaException(
          "postbox.inbox.table-partitioning=daily needs PostgreSQL, and this is %s. Leave it at none: ids are then deleted row by row."
              .formatted(dialect));
    }
    if (dialect == Dialect.POSTGRESQL && isDivided(connection) != wanted) {
      throw new SchemaException(
          wanted
              ? "postbox.inbox.table-partitioning=daily, but the table %s is not partitioned. Leave the key at none; or, if all its ids are UUIDs of version 7, rename it, run %s, which create-tables=true does, and copy its rows."
                  .formatted(message, dialect.script(DIVIDED))
              : "The table %s is partitioned by day, but postbox.inbox.table-partitioning=none: no node would create its tables, and deliveries would fail. Set the key to daily."
                  .formatted(message));
    }
    if (wanted && longest.compareTo(LONGEST_RETENTION) > 0) {
      throw new SchemaException(
          "postbox.inbox.table-partitioning=daily creates a table for each day, and the longest retention, under postbox.inbox.retention or postbox.inbox.consumer.<name>.retention, is %s days. Make it %s at most, or leave the key at none."
              .formatted(longest.toDays(), LONGEST_RETENTION.toDays()));
    }
    try {
      make(connection);
    } catch (SQLException failed) {
      if (NO_RIGHT.equals(failed.getSQLState())) {
        throw new SchemaException(
            "postbox.inbox.table-partitioning=daily, but the daily tables cannot be created (%s). Let the data source's user own the table %s and create tables, or leave the key at none."
                .formatted(failed.getMessage(), message),
            failed);
      }
      throw failed;
    }
  }

  /**
   * Creates missing tables from the oldest day, or else from the start of the retention, to some
   * days ahead. That includes days on which no node ran, because their messages arrive now. Each
   * table is created first and then attached, which blocks no insert.
   *
   * @return how many were created
   */
  public int make(Connection connection) throws SQLException {
    if (!wanted) {
      return 0;
    }
    Instant now = now(connection);
    SortedMap<IdDay, Boolean> there = days(connection, ATTACHED);
    IdDay last = IdDay.of(now).plus(AHEAD);
    IdDay day = there.isEmpty() ? IdDay.of(now.minus(longest)) : there.firstKey();
    int made = 0;
    for (; !last.isBefore(day); day = day.plus(1)) {
      if (!there.containsKey(day)) {
        make(connection, day);
        made++;
      }
    }
    return made;
  }

  private void make(Connection connection, IdDay day) throws SQLException {
    String table = tables.qualified(day.table());
    Sql.execute(connection, WAIT_IN_TRANSACTION);
    Sql.execute(
        connection,
        "CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)"
            .formatted(table, message));
    Sql.execute(
        connection,
        "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(message, table, day.firstId(), day.plus(1).firstId()));
  }

  /**
   * Drops the tables in which all ids are past their retention, and before those of captured
   * messages that still wait. They are detached first, concurrently: a handler's transaction locks
   * the table for as long as it runs, and a session that waits to drop it would make all others
   * wait behind it. Completes steps that an earlier call left. Leaves the rest to another node that
   * does the same.
   *
   * @param connection commits each statement
   * @param before the end of the retention
   */
  public void drop(Connection connection, Instant before) throws SQLException {
    if (!wanted) {
      return;
    }
    // Ids of the day before are refused already; its table is dropped once every node knows that.
    IdDay kept = IdDay.of(before).plus(-1);
    try {
      boolean isKept = false; // with all later days, because no day between two may be missing
      for (Map.Entry<IdDay, Boolean> day : days(connection, ATTACHED).entrySet()) {
        boolean begun = day.getValue();
        isKept |=
            !day.getKey().isBefore(kept) || (!begun && isUnfinished(connection, day.getKey()));
        if (begun || !isKept) {
          detach(connection, tables.qualified(day.getKey().table()), begun);
        }
      }
      for (IdDay day : days(connection, DETACHED).keySet()) {
        executeAlone(connection, "DROP TABLE " + tables.qualified(day.table()));
      }
    } catch (SQLException failed) {
      if (!DONE_BY_ANOTHER.contains(String.valueOf(failed.getSQLState()))) {
        throw failed;
      }
    }
  }

  /** Whether a captured message of a day still waits. */
  private boolean isUnfinished(Connection connection, IdDay day) throws SQLException {
    return Sql.first(connection, unfinished, row -> true, day.firstId(), day.plus(1).firstId())
        .isPresent();
  }

  private void detach(Connection connection, String table, boolean begun) throws SQLException {
    if (!begun) {
      executeAlone(connection, "COMMENT ON TABLE %s IS '%s'".formatted(table, GIVEN_UP));
    }
    executeAlone(
        connection,
        "ALTER TABLE %s DETACH PARTITION %s %s"
            .formatted(message, table, begun ? "FINALIZE" : "CONCURRENTLY"));
  }

  /**
   * Sets a range to the days that have a table.
   *
   * @param notBefore ids of days that ended before this time are refused, even if their tables
   *     exist
   */
  public void read(Connection connection, IdRange range, Instant notBefore) throws SQLException {
    if (!wanted) {
      return;
    }
    SortedMap<IdDay, Boolean> there = days(connection, ATTACHED);
    there.values().removeIf(begunToDetach -> begunToDetach);
    if (there.isEmpty()) {
      range.limit(new Bounds("", "", false));
      return;
    }
    IdDay oldest = there.firstKey();
    IdDay first = IdDay.of(notBefore);
    IdDay last = there.lastKey();
    range.limit(
        new Bounds(
            (first.isBefore(oldest) ? oldest : first).firstId(),
            last.plus(1).firstId(),
            !last.isBefore(IdDay.of(now(connection)).plus(AHEAD - 1))));
  }

  private boolean isDivided(Connection connection) throws SQLException {
    return Sql.first(connection, IS_DIVIDED, row -> row.getBoolean(1), message).orElse(false);
  }

  /**
   * The days that have a table, and of those that are attached, whether a node began to detach it.
   */
  private SortedMap<IdDay, Boolean> days(Connection connection, String sql) throws SQLException {
    SortedMap<IdDay, Boolean> found = new TreeMap<>();
    Sql.list(connection, sql, row -> Map.entry(row.getString(1), row.getBoolean(2)), message)
        .forEach(table -> day(table.getKey()).ifPresent(day -> found.put(day, table.getValue())));
    return found;
  }

  private Optional<IdDay> day(String table) {
    return table.startsWith(tables.prefix())
        ? IdDay.of(table.substring(tables.prefix().length()))
        : Optional.empty();
  }

  private static Instant now(Connection connection) throws SQLException {
    return Sql.one(connection, NOW, row -> Sql.instant(row, 1));
  }

  private static void executeAlone(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(SECONDS_TO_WAIT);
      statement.execute(sql);
    }
  }
}
