package io.postbox.inbox.interceptor;

import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.receiver.EffectStore;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.ResultStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Outside effects in the inbox's table. The calling thread must not be in a transaction.
 *
 * @param database where the tables are
 */
public record JdbcEffectStore(InboxDatabase database) implements EffectStore {

  /** Work on the results. */
  private interface Work<T> {
    T on(ResultStore results, Connection connection) throws SQLException;
  }

  @Override
  public Optional<Made> recall(String consumer, String messageId, String effect) {
    return once(
        consumer,
        messageId,
        effect,
        (results, connection) -> find(results, connection, consumer, messageId, effect));
  }

  @Override
  public Made remember(String consumer, String messageId, String effect, Made made) {
    return once(
        consumer,
        messageId,
        effect,
        (results, connection) ->
            results.put(connection, consumer, messageId, effect, made.result(), null)
                ? made
                : find(results, connection, consumer, messageId, effect).orElse(made));
  }

  private static Optional<Made> find(
      ResultStore results, Connection connection, String consumer, String messageId, String effect)
      throws SQLException {
    return results
        .get(connection, consumer, messageId, effect)
        .map(found -> new Made(found.value()));
  }

  private <T> T once(String consumer, String messageId, String effect, Work<T> work) {
    try {
      ResultStore results = database.required().results();
      return LocalTransactions.retryingConflicts(database.dataSource())
          .once(connection -> work.on(results, connection));
    } catch (SQLException failed) {
      throw new InboxException(
          "The inbox's database failed to read or record the result of the effect '%s' of message %s for the consumer '%s': %s"
              .formatted(effect, messageId, consumer, InboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }
}
