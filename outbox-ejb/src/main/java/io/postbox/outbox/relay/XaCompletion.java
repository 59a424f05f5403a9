package io.postbox.outbox.relay;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.ClaimStore.Hold;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Claims a partition and completes messages in the transaction that sends them, so that either both
 * commit or neither does. The batch was read before this claim and may be stale: if a row is gone
 * or now waits behind another one, the relay sends nothing. The keys that the messages hold are
 * read again. Thread-safe.
 */
public final class XaCompletion {
  private final DataSource dataSource;
  private final ClaimStore store;

  /**
   * @param dataSource where the tables are; its connections become part of a JTA transaction
   * @param store the statements
   */
  public XaCompletion(DataSource dataSource, ClaimStore store) {
    this.dataSource = dataSource;
    this.store = store;
  }

  /**
   * Completes messages in the caller's JTA transaction.
   *
   * @throws SendFailure if another node has them
   * @throws OutboxException if the database failed
   */
  public void complete(Lane lane, List<StoredMessage> messages) throws SendFailure {
    try (Connection connection = dataSource.getConnection()) {
      if (store.claim(connection, lane.partition()).isEmpty()) {
        throw SendFailure.claimLost("another node has claimed the partition");
      }
      List<HeldKey> held = heldKeys(connection, lane, messages);
      List<Long> seqs = messages.stream().map(StoredMessage::seq).toList();
      if (store.complete(connection, lane, seqs) != seqs.size()) {
        throw SendFailure.claimLost("another node has settled some of the messages");
      }
      store.releaseKeys(connection, lane.partition(), held);
    } catch (SQLException failed) {
      throw new OutboxException(
          "The database failed in the transaction that was to send %s messages to '%s'; nothing was sent, and the relay retries them: %s"
              .formatted(messages.size(), lane.destination(), OutboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }

  /**
   * The keys whose heads are among these messages. Since the messages were read, another node may
   * have counted an attempt or begun to release a key in slices.
   */
  private List<HeldKey> heldKeys(Connection connection, Lane lane, List<StoredMessage> messages)
      throws SQLException, SendFailure {
    Map<String, Long> lastOfKey = new HashMap<>();
    Set<UUID> ids = new HashSet<>();
    for (StoredMessage message : messages) {
      ids.add(message.envelope().id());
      String key = message.envelope().orderingKey();
      if (key != null) {
        lastOfKey.merge(key, message.seq(), Math::max);
      }
    }
    List<HeldKey> heads = new ArrayList<>();
    for (Hold hold : store.heldKeys(connection, lane, lastOfKey.keySet())) {
      boolean head = ids.contains(hold.key().headId());
      long last = lastOfKey.getOrDefault(hold.key().orderingKey(), 0L);
      if (hold.drains() ? last > hold.releasedTo() : !head) {
        throw SendFailure.claimLost("another node has put a message in front of some of these");
      }
      if (head) {
        heads.add(hold.key());
      }
    }
    return heads;
  }
}
