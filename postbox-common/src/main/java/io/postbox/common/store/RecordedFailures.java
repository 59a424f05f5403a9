package io.postbox.common.store;

import io.postbox.common.store.DistinctValues.Source;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The API's view of recorded failures. Reads only, by index look-ups. Thread-safe.
 *
 * @param <A> the module's failed attempt
 * @param <G> the module's group of failures of one cause
 */
public abstract class RecordedFailures<A, G> {
  /** A number that is this large may be larger. */
  private static final int MOST_COUNTED = 10_000;

  private static final int LARGEST_PAGE = 100;

  /** How many failures of a message are kept besides the first. */
  public static final int LATEST = 10;

  /**
   * The rows of one signature, with two parameters that are both the signature. A range and an
   * order, so that PostgreSQL reads the signature's own index and stops: with an equation it may
   * read another index, or first find all of them.
   */
  private static final String ONE = "signature BETWEEN ? AND ? ORDER BY signature";

  private final DistinctValues signatures;
  private final int sources;
  private final String history;
  private final String counts;
  private final String latest;

  /**
   * @param dialect the database's
   * @param columns those of a failure, which is {@code f}
   * @param failure the table of failures
   * @param ofMessage selects and orders the failures of one message
   * @param messages what has such an error now
   */
  protected RecordedFailures(
      Dialect dialect, String columns, String failure, String ofMessage, List<Source> messages) {
    signatures =
        new DistinctValues(
            dialect,
            "signature",
            Stream.concat(Stream.of(new Source(failure, "TRUE")), messages.stream()).toList());
    sources = messages.size();
    history = "SELECT %s FROM %s f WHERE %s".formatted(columns, failure, ofMessage);
    StringBuilder all =
        new StringBuilder(
            "SELECT %1$s, (SELECT failed_at FROM %2$s WHERE %3$s, failed_at FETCH FIRST 1 ROW ONLY)"
                .formatted(count(new Source(failure, "TRUE")), failure, ONE));
    messages.forEach(source -> all.append(", ").append(count(source)));
    counts = all.toString();
    latest =
        """
        SELECT %s
        FROM %s f
        WHERE %s DESC, failed_at DESC
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(columns, failure, ONE);
  }

  private static String count(Source source) {
    return "(SELECT COUNT(*) FROM (SELECT 1 AS one FROM %s WHERE %s AND %s FETCH FIRST %s ROWS ONLY) r)"
        .formatted(source.table(), source.condition(), ONE, MOST_COUNTED);
  }

  /** The failure in a row. */
  protected abstract A attempt(ResultSet row) throws SQLException;

  /**
   * A group.
   *
   * @param messages how many have that error now, for each of the sources
   */
  protected abstract G group(
      String signature,
      long failures,
      Optional<Instant> first,
      Optional<A> latest,
      List<Long> messages);

  /** The recorded failures of the message with this key, in their order. */
  public final List<A> history(Connection connection, Object... key) throws SQLException {
    return Sql.list(connection, history, this::attempt, key);
  }

  /**
   * Groups of failures in the order of their signatures: one statement for all, and two for each.
   *
   * @param after the signature after which to begin; empty for the first
   * @param size how many to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds
   */
  public final List<G> groups(Connection connection, String after, int size) throws SQLException {
    if (size < 1 || size > LARGEST_PAGE) {
      throw new IllegalArgumentException(
          "A page has 1 to %s groups, and not %s".formatted(LARGEST_PAGE, size));
    }
    List<G> groups = new ArrayList<>();
    for (String signature : signatures.page(connection, after, size)) {
      Optional<A> last = Sql.first(connection, latest, this::attempt, signature, signature);
      groups.add(
          Sql.one(
              connection,
              counts,
              row -> group(signature, row, last),
              Sql.times(4 + 2 * sources, signature)));
    }
    return groups;
  }

  private G group(String signature, ResultSet row, Optional<A> last) throws SQLException {
    List<Long> messages = new ArrayList<>();
    for (int source = 0; source < sources; source++) {
      messages.add(row.getLong(3 + source));
    }
    OffsetDateTime first = row.getObject(2, OffsetDateTime.class);
    return group(
        signature,
        row.getLong(1),
        Optional.ofNullable(first).map(OffsetDateTime::toInstant),
        last,
        messages);
  }
}
