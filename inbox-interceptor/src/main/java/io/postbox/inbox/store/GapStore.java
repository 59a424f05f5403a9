package io.postbox.inbox.store;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Index;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.store.SlicedSearch.Part;
import io.postbox.common.store.Sql;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.VersionGap.Here;
import io.postbox.inbox.message.Aggregate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the gaps in the order of versions: aggregates of which later versions wait. Thread-safe.
 */
public final class GapStore {
  private static final String WAITING =
      """
      p.consumer = m.consumer AND p.aggregate_type = m.aggregate_type
        AND p.aggregate_id = m.aggregate_id AND p.aggregate_version > m.version AND\
      """
          + " "
          + StoredStatus.WAITING;

  /** After its wait; a message that did not come again may have expired or been taken away. */
  private static final Duration REDELIVERED_WITHIN = Duration.ofHours(1);

  private final Index gaps;
  private final String columns;
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

  public GapStore(Dialect dialect, TableNames tables) {
    String aggregates = tables.qualified("inbox_aggregate");
    String stored = tables.qualified("inbox_stored");
    gaps = new Indexes(tables).gaps;
    columns =
        """
        m.consumer, m.aggregate_type, m.aggregate_id, m.version, m.waiting_since,
        (SELECT MIN(p.aggregate_version) FROM %1$s p WHERE %2$s) AS first_waiting,
        (SELECT COUNT(*) FROM %1$s p WHERE %2$s) AS waiting\
        """
            .formatted(stored, WAITING);
    overdue =
        """
        SELECT COUNT(*) FROM
          (SELECT m.aggregate_id FROM %s m
           WHERE m.consumer = ?
             AND m.waiting_since < %s - CAST(? AS BIGINT) * INTERVAL '0.001' SECOND
             AND EXISTS (SELECT 1 FROM %s p WHERE %s)
           FETCH FIRST ? ROWS ONLY) overdue
        """
            .formatted(aggregates, dialect.nowOnce(), stored, WAITING);
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
   * @throws IllegalArgumentException if the place to continue is not one of this list
   */
  public LookupPage<Row> page(Connection connection, GapFilter filter, String after, int limit)
      throws SQLException {
    Part part = gaps.part(columns, Conditions.of(filter, Map.of("missing", "m.waiting_since")));
    LookupPage<Optional<Row>> page =
        SlicedSearch.page(connection, List.of(part), (of, row) -> gap(row), after, limit);
    return new LookupPage<>(
        page.items().stream().flatMap(Optional::stream).toList(), page.next(), page.note());
  }

  private static Optional<Row> gap(ResultSet row) throws SQLException {
    long first = row.getLong("first_waiting");
    if (row.wasNull()) {
      return Optional.empty();
    }
    return Optional.of(
        new Row(
            row.getString("consumer"),
            new Aggregate(
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getLong("version")),
            first,
            row.getLong("waiting"),
            Sql.instant(row, "waiting_since")));
  }

  /**
   * How many gaps of a consumer are older than a time.
   *
   * @param most where the count stops
   */
  public int overdue(Connection connection, String consumer, Duration age, int most)
      throws SQLException {
    return Sql.one(connection, overdue, row -> row.getInt(1), consumer, age.toMillis(), most);
  }

  /** The discarded versions within a gap, the lowest ones. */
  public List<Long> discarded(Connection connection, Row gap, int most) throws SQLException {
    return Sql.list(connection, discarded, row -> row.getLong(1), versions(gap), most);
  }

  /** The rows of parked messages with versions within a gap. */
  public List<Long> kept(Connection connection, Row gap, int most) throws SQLException {
    return Sql.list(connection, kept, row -> row.getLong(1), versions(gap), most);
  }

  /** The missing versions of a gap that have arrived and wait to be handled. */
  public List<Here> here(Connection connection, Row gap, int most) throws SQLException {
    return Sql.list(
        connection,
        here,
        row -> new Here(row.getLong(1), row.getString(2), row.getString(3)),
        versions(gap),
        versions(gap),
        most);
  }

  /** The parameters that select the missing versions of a gap. */
  private static Sql.Values versions(Row gap) {
    Aggregate aggregate = gap.aggregate();
    return new Sql.Values(
        List.of(
            gap.consumer(),
            aggregate.type(),
            aggregate.id(),
            aggregate.version(),
            gap.firstWaiting()));
  }
}
