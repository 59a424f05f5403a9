package io.postbox.inbox.ops;

import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRows;
import io.postbox.inbox.store.ReleaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Sends the messages whose turn in the order of versions has come, as a redrive does: one
 * transaction locks and deletes the row, sends the message under its id, and commits. After a crash
 * in between it is sent again, and the inbox skips it. Two nodes never send one message, because
 * the second finds it locked or gone. Thread-safe.
 */
public final class OrderRelease {
  private static final int LONGEST_ERROR = 2_000;

  private final LocalTransactions transactions;
  private final ReleaseStore store;
  private final KeptRows rows;
  private final KeptRelease release;
  private final KeptSender sender;

  /** The outcome of a message's release. */
  public enum Result {
    /** Another node has sent it, or an operator has redriven or discarded it. */
    GONE,
    /** It was sent. */
    SENT,
    /** It was captured, and is handled in its place. */
    RESTORED
  }

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts stored contents
   * @param sender sends the messages
   */
  public OrderRelease(
      InboxConfig config, DataSource dataSource, KeptContents contents, KeptSender sender) {
    transactions = new LocalTransactions(dataSource);
    store = new ReleaseStore(config.tables(), contents);
    rows = new KeptRows(Kind.PARKED, config.tables());
    release =
        new KeptRelease(
            Kind.PARKED,
            rows,
            contents,
            new ReleasedIds(config, sender::firstId, InstantSource.system()),
            new CapturedPlaces(config.tables(), contents));
    this.sender = sender;
  }

  /** The messages of a consumer that are to be sent, the first one first. */
  public List<Long> due(String consumer, int limit) throws SQLException {
    return transactions.eachAlone(connection -> store.due(connection, consumer, limit));
  }

  /**
   * Sends a message.
   *
   * @throws NotSentException if it was not sent, or the outcome is unknown: it stays released
   */
  public Result release(String consumer, long id) throws SQLException {
    return transactions.once(connection -> send(connection, consumer, id));
  }

  private Result send(Connection connection, String consumer, long id) throws SQLException {
    if (!store.claim(connection, consumer, id)) {
      return Result.GONE;
    }
    Optional<Outgoing> message = release.take(connection, id, ReplyOnRedrive.KEEP);
    if (message.isEmpty()) {
      return Result.GONE;
    }
    message.get().sendBy(sender); // the last step before the commit
    return message.get().isRestored() ? Result.RESTORED : Result.SENT;
  }

  /**
   * Leaves a message, which cannot be sent, to an operator.
   *
   * @return whether it was still there
   */
  public boolean giveUp(String consumer, long id, NotSentException why) throws SQLException {
    String error = String.valueOf(why.getMessage());
    String text = error.substring(0, Math.min(error.length(), LONGEST_ERROR));
    return transactions.once(
        connection -> {
          if (!store.claim(connection, consumer, id)) {
            return false;
          }
          store.giveUp(connection, id, rows.read(connection, id).orElseThrow(), text);
          return true;
        });
  }
}
