package io.postbox.inbox.ops;

import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.message.Heartbeat;
import io.postbox.inbox.store.AttemptStore;
import io.postbox.inbox.store.ProcessStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The unended attempts and processes, in their tables.
 *
 * @param store the statements about attempts
 * @param processes the statements about processes
 * @param connection runs them; the caller commits
 */
public record StoredAttempts(AttemptStore store, ProcessStore processes, Connection connection)
    implements AttemptRows {
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
    processes.live(connection, node);
  }

  @Override
  public List<Heartbeat> others(String node) throws SQLException {
    return processes.others(connection, node);
  }

  @Override
  public void leave(String node) throws SQLException {
    processes.leave(connection, node);
  }

  @Override
  public void forgetProcesses(Duration silentFor) throws SQLException {
    processes.forget(connection, silentFor);
  }
}
