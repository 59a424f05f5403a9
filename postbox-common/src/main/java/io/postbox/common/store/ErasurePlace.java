package io.postbox.common.store;

import io.postbox.common.LookupPage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

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
