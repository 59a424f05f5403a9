package io.postbox.common.ops;

import io.postbox.common.store.CountTable;
import io.postbox.common.store.CountTable.LastCount;
import io.postbox.common.store.LocalTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The count that one node makes for all: the node that first finds it due. Thread-safe.
 *
 * @param <L> a line of the count
 */
public final class SharedCount<L> {
  private final LocalTransactions transactions;
  private final CountTable<L> table;
  private final InstantSource clock;

  /**
   * @param dataSource its connections must not be part of a transaction
   * @param table where the count is stored
   * @param clock the node's, which is never set back
   */
  public SharedCount(DataSource dataSource, CountTable<L> table, InstantSource clock) {
    transactions = new LocalTransactions(dataSource);
    this.table = table;
    this.clock = clock;
  }

  /** Reads the last count. */
  public LastCount<L> read() throws SQLException {
    return transactions.eachAlone(table::read);
  }

  /** What a node has last kept as the course of the counts. */
  public Optional<String> history() throws SQLException {
    return transactions.once(LocalTransactions.brief(table::history));
  }

  /** Keeps the course of the counts, for all nodes. */
  public void keepHistory(String history) throws SQLException {
    transactions.once(
        LocalTransactions.brief(
            connection -> {
              table.keepHistory(connection, history);
              return true;
            }));
  }

  /** Counts now, for the caller alone, a person who waits. */
  public List<L> now() throws SQLException {
    return transactions.eachAlone(LocalTransactions.brief(table::countNow));
  }

  /**
   * Counts and stores the result, unless another node does.
   *
   * @return whether this node has counted
   */
  public boolean countForAll() throws SQLException {
    // The claim's lock goes with the transaction, so a node that dies meanwhile leaves nothing.
    return transactions.once(this::countAndKeep);
  }

  private boolean countAndKeep(Connection connection) throws SQLException {
    Instant began = clock.instant();
    Optional<Instant> claimed = table.claim(connection);
    if (claimed.isPresent()) {
      List<L> lines = table.count(connection);
      Duration interval = CountPace.interval(Duration.between(began, clock.instant()));
      // A little early, or the next poll at the same distance could just miss it.
      Instant due = claimed.get().plus(interval.multipliedBy(9).dividedBy(10));
      table.keep(connection, lines, claimed.get(), due);
    }
    return claimed.isPresent();
  }
}
