package io.postbox.outbox.ops;

import io.postbox.common.ops.LoggedOnce;
import io.postbox.common.ops.NodeQueries;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.NodeTable;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.relay.RelayStatus;
import io.postbox.outbox.store.HolderQuery;
import io.postbox.outbox.store.StoredErrors;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Writes this node's heartbeat with what the node knows, deletes the rows of nodes that have long
 * been silent, and lists all nodes; each in a transaction of its own. Thread-safe.
 */
public final class Nodes {
  private static final Duration BETWEEN_CLEANINGS = Duration.ofHours(1);

  private final OutboxTables tables;
  private final LocalTransactions transactions;
  private final OperatorCalls calls;
  private final NodeTable table;
  private final NodeDetails details;
  private final InstantSource clock;
  private final LoggedOnce log =
      new LoggedOnce(WatchLog::nodeNotReported, WatchLog::nodeReportsAgain);
  private final Object turn = new Object();
  private Instant next = Instant.MIN;
  private Instant nextCleaning = Instant.MIN;
  private boolean isBeating;
  private volatile boolean hasLeft;

  /**
   * @param errors encrypts and decrypts the errors of destinations
   * @param clock the node's clock, which never goes back
   */
  public Nodes(OutboxTables tables, StoredErrors errors, InstantSource clock) {
    this.tables = tables;
    transactions = new LocalTransactions(tables.dataSource());
    calls = tables.calls();
    table = new NodeTable(tables.dialect(), tables.config().tables().qualified("outbox_node"));
    details = new NodeDetails(errors);
    this.clock = clock;
  }

  /**
   * This node.
   *
   * @param node its identity
   * @param startedAt by the clock
   * @param report what it says of itself, without I/O
   */
  public record Self(Node node, Instant startedAt, Supplier<Report> report) {}

  /**
   * The report of a node about itself.
   *
   * @param relay its configuration
   * @param status the status of its relay
   * @param findings the names of what its guarantee check found
   * @param notChecked the names of what it could not check
   */
  public record Report(
      RelayConfig relay, RelayStatus status, List<String> findings, List<String> notChecked) {}

  /**
   * Starts a heartbeat if one is due and none is running. Returns at once, and never throws: a
   * failure concerns nobody but the readers, and is logged once until a heartbeat succeeds.
   *
   * @param executor runs the heartbeat
   */
  public void beatIfDue(Executor executor, Self self) {
    if (!begin()) {
      return;
    }
    try {
      executor.execute(() -> beat(self));
    } catch (RuntimeException | Error refused) { // the executor is full, or there is no thread
      ended();
      log.failed(refused);
    }
  }

  private synchronized boolean begin() {
    Instant now = clock.instant();
    boolean begins = !isBeating && !hasLeft && !now.isBefore(next);
    if (begins) {
      isBeating = true;
      next = now.plus(NodeTable.BEAT);
    }
    return begins;
  }

  private void beat(Self self) {
    try {
      String said = details.toJson(self.node().name(), self.report().get());
      Duration up = Duration.between(self.startedAt(), clock.instant());
      synchronized (turn) { // the row must not come back after the stop
        if (!hasLeft) {
          Instant now = clock.instant();
          boolean cleans = !now.isBefore(nextCleaning);
          transactions.once(
              connection -> {
                table.beat(connection, self.node(), up, said);
                return cleans ? table.forget(connection, NodeTable.MEMORY) : 0;
              });
          nextCleaning = cleans ? now.plus(BETWEEN_CLEANINGS) : nextCleaning;
        }
      }
      log.works();
    } catch (SQLException | RuntimeException | Error failed) {
      log.failed(failed);
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    isBeating = false;
  }

  /**
   * Deletes the row of this node, which stops in an orderly way; no heartbeat follows.
   *
   * @throws SQLException if it stays, and the node seems to have died
   */
  public void leave(Node node) throws SQLException {
    hasLeft = true;
    synchronized (turn) {
      transactions.once(
          connection -> {
            table.leave(connection, node.name());
            return true;
          });
    }
  }

  /**
   * All nodes, in one query: those that are alive first, then by name.
   *
   * @throws OutboxException if the table cannot be read
   */
  public List<OutboxNode> list() {
    return new NodeQueries<>(calls, table, details::fromRow).list();
  }

  /**
   * The holder of a partition's lock at this moment, in words; empty if nobody holds it, and on H2.
   *
   * @throws OutboxException if the database does not tell
   */
  public Optional<String> holder(int partition) {
    return calls.ask(
        "The holder of partition %s cannot be read".formatted(partition),
        connection ->
            HolderQuery.holder(connection, tables.dialect(), tables.config().tables(), partition));
  }
}
