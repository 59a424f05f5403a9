package io.postbox.inbox.ops;

import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.store.AttemptStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The tries that have not ended, in their table.
 *
 * @param store the statements
 * @param connection on which they run; whoever calls commits
 */
public record StoredAttempts(AttemptStore store, Connection connection) implements AttemptRows {
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
}
