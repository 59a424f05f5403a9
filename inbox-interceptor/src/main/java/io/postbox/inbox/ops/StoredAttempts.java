package io.postbox.inbox.ops;

import io.postbox.common.store.NodeTable.Node;
import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.message.Heartbeat;
import io.postbox.inbox.store.AttemptStore;
import io.postbox.inbox.store.NodeStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * The unended attempts and nodes, in their tables.
 *
 * @param store the statements about attempts
 * @param nodes the statements about nodes
 * @param report supplies this node's report, which goes with its heartbeat
 * @param connection runs them; the caller commits
 */
public record StoredAttempts(
    AttemptStore store, NodeStore nodes, Supplier<Report> report, Connection connection)
    implements AttemptRows {

  /**
   * A node's report on itself.
   *
   * @param host its machine
   * @param version the inbox's
   * @param up how long ago it started
   * @param details from {@link NodeDetails}
   */
  public record Report(String host, String version, Duration up, String details) {}

  @Override
  public List<Unended> left(String consumer, String messageId) throws SQLException {
    return store.left(connection, consumer, messageId);
  }

  @Override
  public long insert(String consumer, String messageId, String node, boolean alone)
      throws SQLException {
    return store.insert(connection, consumer, messageId, node, alone);
  }

  @Override
  public void renew(Collection<Long> rows) throws SQLException {
    store.renew(connection, rows);
  }

  @Override
  public void delete(Collection<Long> rows) throws SQLException {
    store.delete(connection, rows);
  }

  @Override
  public void deleteAll(String consumer, String messageId) throws SQLException {
    store.deleteAll(connection, consumer, messageId);
  }

  @Override
  public void forget(Duration silentFor) throws SQLException {
    store.forget(connection, silentFor);
  }

  @Override
  public void live(String node) throws SQLException {
    Report now = report.get();
    nodes.beat(connection, new Node(node, now.host(), now.version()), now.up(), now.details());
  }

  @Override
  public List<Heartbeat> others(String node) throws SQLException {
    return nodes.others(connection, node);
  }

  @Override
  public void leave(String node) throws SQLException {
    nodes.leave(connection, node);
  }

  @Override
  public void forgetProcesses(Duration silentFor) throws SQLException {
    nodes.forget(connection, silentFor);
  }

  @Override
  public void forgetReplaced(Duration silentFor) throws SQLException {
    nodes.forget(connection, report.get().host(), silentFor);
  }
}
