package io.postbox.outbox.relay;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.RelayStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Claims a partition and completes messages in the transaction that sends them, so that both commit
 * or neither. What was read before the claim may be stale: then a row is missing, and nothing is
 * sent. Thread-safe.
 */
public final class TogetherWithTables {
  private final DataSource dataSource;
  private final RelayStore store;

  /**
   * @param dataSource where the tables are; its connections become part of a JTA transaction
   * @param store the statements
   */
  public TogetherWithTables(DataSource dataSource, RelayStore store) {
    this.dataSource = dataSource;
    this.store = store;
  }

  /**
   * Completes messages in the caller's JTA transaction.
   *
   * @throws SendFailure if somebody else has them
   * @throws OutboxException if the database failed
   */
  public void complete(Lane lane, List<StoredMessage> messages) throws SendFailure {
    try (Connection connection = dataSource.getConnection()) {
      if (store.claim(connection, lane.partition()).isEmpty()) {
        throw SendFailure.lost("the partition is in other hands");
      }
      Completion completion = Completion.ofSent(messages);
      int found = store.complete(connection, lane, completion.sent());
      if (found != messages.size()) {
        throw SendFailure.lost("somebody else has dealt with some of the messages");
      }
      store.releaseKeys(connection, lane.partition(), completion.release());
    } catch (SQLException failed) {
      throw new OutboxException(
          "The database failed in the transaction that was to send %d messages to '%s'; nothing was sent, they come again: %s"
              .formatted(messages.size(), lane.destination(), failed.getMessage()),
          failed);
    }
  }
}
