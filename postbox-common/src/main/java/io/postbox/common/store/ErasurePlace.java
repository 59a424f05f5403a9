package io.postbox.common.store;

import io.postbox.common.LookupPage;
import io.postbox.common.store.SlicedSearch.Part;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/**
 * A place in the tables where an erasure looks for rows of its target, and erases them. It finds no
 * row that it has erased. Thread-safe.
 *
 * @param <R> its rows
 */
public interface ErasurePlace<R> {

  /**
   * A row that was found, without a lock.
   *
   * @param row its key
   * @param claim the claim that has to be locked for it; rows with equal claims are erased together
   * @param after the place to continue behind it
   */
  record Candidate<R>(R row, Object claim, String after) {}

  /** The parts of the tables to search. */
  @FunctionalInterface
  interface Parts {
    /** These parts, in their order. */
    List<Part> in(Connection connection) throws SQLException;
  }

  /** Erases rows. */
  @FunctionalInterface
  interface Erasing<R> {
    /** Erases rows with equal claims, and returns how many. */
    int of(Connection connection, List<R> rows) throws SQLException;
  }

  /**
   * A place that is searched in slices.
   *
   * @param reader reads a row's key
   * @param claim the claim that has to be locked for a row
   */
  static <R> ErasurePlace<R> of(
      String name, Parts parts, Sql.Row<R> reader, Function<R, Object> claim, Erasing<R> erasing) {
    return new ErasurePlace<>() {
      @Override
      public String name() {
        return name;
      }

      /** Begins again if the part in which it was to go on is gone, for instance a consumer's. */
      @Override
      public LookupPage<Candidate<R>> page(Connection connection, String after, int size)
          throws SQLException {
        List<Part> searched = parts.in(connection);
        return SlicedSearch.page(
            connection,
            searched,
            (part, row) -> {
              R key = reader.of(row);
              return new Candidate<>(key, claim.apply(key), SlicedSearch.after(part, row));
            },
            SlicedSearch.isOf(searched, after) ? after : "",
            size);
      }

      @Override
      public int erase(Connection connection, List<R> rows) throws SQLException {
        return erasing.of(connection, rows);
      }
    };
  }

  /** A place that is searched in slices, and of which no more has to be locked than its rows. */
  static <R> ErasurePlace<R> of(String name, Parts parts, Sql.Row<R> reader, Erasing<R> erasing) {
    return of(name, parts, reader, row -> name, erasing);
  }

  /** Its name, for plans and reports. */
  String name();

  /**
   * The next rows, in a bounded number of reads.
   *
   * @param after {@link LookupPage#next} of the page before, or {@link Candidate#after}; empty for
   *     the first
   * @param size how many at most
   */
  LookupPage<Candidate<R>> page(Connection connection, String after, int size) throws SQLException;

  /**
   * Erases those of these rows that still are what they were, under their lock.
   *
   * @param rows with equal claims
   * @return how many were erased
   */
  int erase(Connection connection, List<R> rows) throws SQLException;
}
