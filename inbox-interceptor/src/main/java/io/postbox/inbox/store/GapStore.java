package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.GapFilter.Criterion;
import io.postbox.inbox.VersionGap.Here;
import io.postbox.inbox.message.Aggregate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gaps in the order of versions: aggregates of which later versions wait. Thread-safe.
 */
public final class GapStore {
  private static final String WAITING =
      """
      p.consumer = a.consumer AND p.aggregate_type = a.aggregate_type
        AND p.aggregate_id = a.aggregate_id AND p.aggregate_version > a.version
        AND p.reason IN ('EARLY', 'VERSION_MISSING') AND p.status IN ('EARLY', 'PARKED')\
      """;

  /** After its wait; a message that did not come again may have expired or been taken away. */
  private static final Duration REDELIVERED_WITHIN = Duration.ofHours(1);

  private final String page;
  private final String overdue;
  private final String discarded;
  private final String kept;
  private final String here;

  /**
   * A gap, without the details of its missing versions.
   *
   * @param aggregate with the version that was handled last
   * @param firstWaiting the lowest version that waits
   * @param waiting how many messages wait
   * @param since since when the next version is missing
   */
  public record Row(
      String consumer, Aggregate aggregate, long firstWaiting, long waiting, Instant since) {}

  /** The gap after which a page begins. */
  public record After(String consumer, Instant since, String type, String id) {}

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public GapStore(Dialect dialect, TableNames tables) {
    String aggregates = tables.qualified("inbox_aggregate");
    String stored = tables.qualified("inbox_stored");
    page =
        """
        SELECT a.consumer, a.aggregate_type, a.aggregate_id, a.version, a.waiting_since,
          (SELECT MIN(p.aggregate_version) FROM %1$s p WHERE %2$s),
          (SELECT COUNT(*) FROM %1$s p WHERE %2$s)
        FROM %3$s a
        WHERE a.waiting_since IS NOT NULL%%s
        ORDER BY a.consumer, a.waiting_since, a.aggregate_type, a.aggregate_id
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(stored, WAITING, aggregates);
    // else PostgreSQL would ask for the time at each row
    String now = dialect == Dialect.POSTGRESQL ? "(SELECT %s)" : "%s";
    overdue =
        """
        SELECT COUNT(*) FROM
          (SELECT a.aggregate_id FROM %s a
           WHERE a.consumer = ?
             AND a.waiting_since < %s - CAST(? AS BIGINT) * INTERVAL '0.001' SECOND
             AND EXISTS (SELECT 1 FROM %s p WHERE %s)
           FETCH FIRST ? ROWS ONLY) overdue
        """
            .formatted(aggregates, now.formatted(dialect.now()), stored, WAITING);
    discarded =
        """
        SELECT version FROM %s
        WHERE consumer = ? AND aggregate_type = ? AND aggregate_id = ?
          AND version > ? AND version < ?
        ORDER BY version
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(tables.qualified("inbox_discarded"));
    kept =
        """
        SELECT p.id FROM %s p
        WHERE p.consumer = ? AND p.aggregate_type = ? AND p.aggregate_id = ?
          AND p.aggregate_version > ? AND p.aggregate_version < ?
          AND p.status = 'PARKED' AND p.reason <> 'VERSION_MISSING'
        ORDER BY p.aggregate_version
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(stored);
    here =
        """
        SELECT c.aggregate_version, c.message_id, c.status FROM %1$s c
        WHERE c.consumer = ? AND c.aggregate_type = ? AND c.aggregate_id = ?
          AND c.aggregate_version > ? AND c.aggregate_version < ?
          AND c.status IN ('PENDING', 'DELAYED', 'HELD', 'HANDED_BACK')
        UNION
        SELECT f.aggregate_version, f.message_id, 'FAILING' FROM %2$s f
        WHERE f.consumer = ? AND f.aggregate_type = ? AND f.aggregate_id = ?
          AND f.aggregate_version > ? AND f.aggregate_version < ? AND NOT f.redriven
          AND f.failed_at >
            %4$s - (COALESCE(f.wait_millis, 0) + %5$s) * INTERVAL '0.001' SECOND
          AND NOT EXISTS (SELECT 1 FROM %1$s c
                          WHERE c.consumer = f.consumer AND c.message_id = f.message_id)
          AND NOT EXISTS (SELECT 1 FROM %3$s m
                          WHERE m.consumer = f.consumer AND m.message_id = f.message_id)
        ORDER BY 1
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(
                stored,
                tables.qualified("inbox_failure"),
                tables.qualified("inbox_message"),
                dialect.now(),
                String.valueOf(REDELIVERED_WITHIN.toMillis()));
  }

  /**
   * One page of gaps; those that have closed meanwhile are left out.
   *
   * @param after where it begins; null for the first page
   * @return the gaps, and the last aggregate that was looked at, if the page was full
   */
  public Found page(Connection connection, GapFilter filter, @Nullable After after, int limit)
      throws SQLException {
    StringBuilder conditions = new StringBuilder();
    List<Object> values = new ArrayList<>();
    for (Map.Entry<Criterion, Object> each : filter.criteria().entrySet()) {
      conditions.append(" AND a.").append(condition(each.getKey()));
      values.add(each.getValue());
    }
    if (after != null) {
      conditions.append(
          " AND (a.consumer, a.waiting_since, a.aggregate_type, a.aggregate_id) > (?, ?, ?, ?)");
      values.addAll(List.of(after.consumer(), after.since(), after.type(), after.id()));
    }
    try (PreparedStatement statement =
        connection.prepareStatement(page.formatted(conditions.toString()))) {
      int index = 1;
      for (Object value : values) {
        if (value instanceof Instant time) {
          statement.setObject(index++, OffsetDateTime.ofInstant(time, ZoneOffset.UTC));
        } else {
          statement.setString(index++, (String) value);
        }
      }
      statement.setInt(index, limit);
      return found(statement, limit);
    }
  }

  /**
   * A page.
   *
   * @param gaps the gaps
   * @param last where the next page begins; null if this is the last one
   */
  public record Found(List<Row> gaps, @Nullable After last) {}

  private static Found found(PreparedStatement statement, int limit) throws SQLException {
    List<Row> gaps = new ArrayList<>();
    After last = null;
    int rows = 0;
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows++;
        String consumer = row.getString(1);
        Aggregate aggregate = new Aggregate(row.getString(2), row.getString(3), row.getLong(4));
        Instant since = row.getObject(5, OffsetDateTime.class).toInstant();
        long first = row.getLong(6);
        if (!row.wasNull()) {
          gaps.add(new Row(consumer, aggregate, first, row.getLong(7), since));
        }
        last = new After(consumer, since, aggregate.type(), aggregate.id());
      }
    }
    return new Found(gaps, rows < limit ? null : last);
  }

  private static String condition(Criterion criterion) {
    return switch (criterion) {
      case CONSUMER -> "consumer = ?";
      case AGGREGATE_TYPE -> "aggregate_type = ?";
      case AGGREGATE_ID -> "aggregate_id = ?";
      case MISSING_BEFORE -> "waiting_since < ?";
    };
  }

  /**
   * How many gaps of a consumer are older than a time.
   *
   * @param most where the count stops
   */
  public int overdue(Connection connection, String consumer, Duration age, int most)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(overdue)) {
      statement.setString(1, consumer);
      statement.setLong(2, age.toMillis());
      statement.setInt(3, most);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  /** The discarded versions within a gap, the lowest ones. */
  public List<Long> discarded(Connection connection, Row gap, int most) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(discarded)) {
      statement.setString(1, gap.consumer());
      statement.setString(2, gap.aggregate().type());
      statement.setString(3, gap.aggregate().id());
      return numbers(statement, gap, most);
    }
  }

  /** The rows of parked messages with versions within a gap. */
  public List<Long> kept(Connection connection, Row gap, int most) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(kept)) {
      statement.setString(1, gap.consumer());
      statement.setString(2, gap.aggregate().type());
      statement.setString(3, gap.aggregate().id());
      return numbers(statement, gap, most);
    }
  }

  /** The missing versions of a gap that have arrived and wait to be handled. */
  public List<Here> here(Connection connection, Row gap, int most) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(here)) {
      int index = 1;
      for (int each = 0; each < 2; each++) {
        statement.setString(index++, gap.consumer());
        statement.setString(index++, gap.aggregate().type());
        statement.setString(index++, gap.aggregate().id());
        statement.setLong(index++, gap.aggregate().version());
        statement.setLong(index++, gap.firstWaiting());
      }
      statement.setInt(index, most);
      List<Here> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(new Here(row.getLong(1), row.getString(2), row.getString(3)));
        }
      }
      return found;
    }
  }

  private static List<Long> numbers(PreparedStatement statement, Row gap, int most)
      throws SQLException {
    statement.setLong(4, gap.aggregate().version());
    statement.setLong(5, gap.firstWaiting());
    statement.setInt(6, most);
    List<Long> numbers = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        numbers.add(row.getLong(1));
      }
    }
    return numbers;
  }
}
