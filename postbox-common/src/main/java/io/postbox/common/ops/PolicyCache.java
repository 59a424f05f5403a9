package io.postbox.common.ops;

import io.postbox.common.RuntimePolicy;
import io.postbox.common.log.SharedLog;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.PolicyTable;
import io.postbox.common.store.PolicyTable.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A node's copy of the policies that operators have set, so that asking for one costs no statement.
 * While the table cannot be read, the copy stays as it is. Thread-safe.
 */
public final class PolicyCache {
  /** Below five seconds with the pace of whoever calls {@link #readIfDue}. */
  public static final Duration INTERVAL = Duration.ofSeconds(4);

  private final LocalTransactions transactions;
  private final PolicyTable table;
  private final InstantSource clock;
  private final LoggedOnce log;
  private volatile Map<String, Policy> policies = Map.of();
  private volatile Instant next = Instant.MIN;

  /**
   * @param dataSource its connections must not be part of a transaction
   * @param table the policies
   * @param clock the node's clock, which never goes back
   * @param log the module's
   */
  public PolicyCache(DataSource dataSource, PolicyTable table, InstantSource clock, SharedLog log) {
    transactions = new LocalTransactions(dataSource);
    this.table = table;
    this.clock = clock;
    this.log = new LoggedOnce(log::policiesNotRead, log::policiesReadAgain);
  }

  /** An operator's policy for a name, as last read. */
  public Optional<Policy> of(String name) {
    return Optional.ofNullable(policies.get(name));
  }

  /** All of them by name, as last read. */
  public Map<String, Policy> all() {
    return policies;
  }

  /** Reads the table if that is due, in one statement. Never throws. Called by one thread. */
  public void readIfDue() {
    if (!clock.instant().isBefore(next)) {
      refresh();
    }
  }

  /** Reads the table now, in one statement. Never throws: a failure is logged, once. */
  public void refresh() {
    next = clock.instant().plus(INTERVAL);
    try {
      transactions.eachAlone(
          connection -> {
            read(connection);
            return true;
          });
      log.works();
    } catch (SQLException | RuntimeException failed) {
      log.failed(failed);
    }
  }

  /**
   * Reads the table. One at a time, so that no result of an earlier statement replaces that of a
   * later one.
   *
   * @throws SQLException if it cannot be read
   */
  public synchronized void read(Connection connection) throws SQLException {
    Map<String, Policy> found = new HashMap<>();
    for (RuntimePolicy<Policy> row : table.read(connection)) {
      found.put(row.name(), row.policy());
    }
    policies = Map.copyOf(found);
  }
}
