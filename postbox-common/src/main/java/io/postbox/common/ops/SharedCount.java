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
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Holds the last count of a module's tables for metrics, health and limits, so that reading it
 * costs no statement. The node that first finds a count due counts for all; the others read its
 * result: one statement per interval, independent of the number of readers. Thread-safe.
 *
 * @param <L> a line of the count
 * @param <C> what the lines add up to
 */
public final class SharedCount<L, C> {
  private final LocalTransactions transactions;
  private final CountTable<L> table;
  private final InstantSource clock;
  private final CountPace pace;
  private final Function<List<L>, C> sum;
  private final BiFunction<String, SQLException, RuntimeException> failure;
  private final String problem;
  private final LoggedOnce log;
  private volatile C last;

  /**
   * @param dataSource its connections must not be part of a transaction
   * @param table where the count is stored
   * @param clock the node's, which is never set back
   * @param sum adds up the lines
   * @param failure the module's exception, from what happened and the cause
   * @param problem what is not so while the tables cannot be counted
   * @param log has the module's lines
   */
  public SharedCount(
      DataSource dataSource,
      CountTable<L> table,
      InstantSource clock,
      Function<List<L>, C> sum,
      BiFunction<String, SQLException, RuntimeException> failure,
      String problem,
      LoggedOnce log) {
    transactions = new LocalTransactions(dataSource);
    this.table = table;
    this.clock = clock;
    pace = new CountPace(clock);
    this.sum = sum;
    this.failure = failure;
    this.problem = problem;
    this.log = log;
    last = sum.apply(List.of());
  }

  /**
   * Reads the last count if that is due, and counts if no node has done so lately. Never throws: if
   * it fails, the last count is kept.
   *
   * @param executor runs this, because a count of many rows takes long
   * @param told receives the last count, and then the one that this node has made
   */
  public void lookIfDue(Executor executor, BiConsumer<C, LastCount<L>> told) {
    if (!pace.begin()) {
      return;
    }
    try {
      executor.execute(() -> look(told));
    } catch (RuntimeException | Error refused) { // the executor is full, or there is no thread
      pace.ended();
      log.failed(refused);
    }
  }

  private void look(BiConsumer<C, LastCount<L>> told) {
    try {
      LastCount<L> found = read();
      try {
        told.accept(last, found); // at once, because a count may take a minute
      } finally {
        if (found.isDue() && countForAll()) {
          found = read();
          told.accept(last, found);
        }
      }
      if (!found.isDue()) { // this node or another has counted
        log.works();
      }
    } catch (SQLException | RuntimeException | Error failed) {
      log.failed(failed);
    } finally {
      pace.ended();
    }
  }

  private LastCount<L> read() throws SQLException {
    LastCount<L> found = transactions.eachAlone(table::read);
    last = sum.apply(found.lines());
    return found;
  }

  /** The last count; nothing before the first. */
  public C last() {
    return last;
  }

  /** Why the last count is old, if it cannot be made or read. */
  public Optional<Throwable> problem() {
    return log.problem();
  }

  /** What a node has last kept as the course of the counts. */
  public Optional<String> history() {
    try {
      return transactions.once(LocalTransactions.brief(table::history));
    } catch (SQLException failed) {
      throw failure.apply("The history cannot be read", failed);
    }
  }

  /** Keeps the course of the counts, for all nodes. */
  public void keepHistory(String history) {
    try {
      transactions.once(
          LocalTransactions.brief(
              connection -> {
                table.keepHistory(connection, history);
                return true;
              }));
    } catch (SQLException failed) {
      throw failure.apply("The history cannot be kept", failed);
    }
  }

  /** Counts now, for the caller alone, a person who waits. */
  public C now() {
    try {
      return sum.apply(transactions.eachAlone(LocalTransactions.brief(table::count)));
    } catch (SQLException failed) {
      throw failure.apply(problem, failed);
    }
  }

  /** Counts and stores the result, unless another node does; tells whether this node has. */
  private boolean countForAll() throws SQLException {
    // The claim's lock goes with the transaction, so a node that dies meanwhile leaves nothing.
    return transactions.once(this::countAndKeep);
  }

  private boolean countAndKeep(Connection connection) throws SQLException {
    Instant began = clock.instant();
    Optional<Instant> claimed = table.claim(connection);
    if (claimed.isPresent()) {
      List<L> lines =
          LocalTransactions.brief(table::count, CountTable.LONGEST_COUNT).on(connection);
      Duration interval = CountPace.interval(Duration.between(began, clock.instant()));
      // A little early, or the next poll at the same distance could just miss it.
      Instant due = claimed.get().plus(interval.multipliedBy(9).dividedBy(10));
      table.keep(connection, lines, claimed.get(), due);
    }
    return claimed.isPresent();
  }
}
