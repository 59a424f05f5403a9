package io.postbox.inbox.ops;

import io.postbox.common.config.Backoff;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.text.Storable;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.store.HandBackStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.KeptRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Hands stored messages that have their turn back to their consumers. The row is the message, and
 * stays until a copy of it is handled: one transaction notes that a copy is sent, and then it is
 * sent. After a crash in between, or if the copy is lost, another one is sent later, under the same
 * id and generation; of two copies one is handled. Thread-safe.
 */
public final class HandBack {
  private static final int LONGEST_ERROR = 2_000;
  private static final Backoff PATIENCE =
      new Backoff(Duration.ofMinutes(1), HandBackStore.LONGEST_PATIENCE);

  private final LocalTransactions transactions;
  private final DataSource dataSource;
  private final InboxConfig config;
  private final KeptContents contents;
  private final KeptSender sender;
  private volatile Optional<HandBackStore> known = Optional.empty();

  /** The outcome for a message. */
  public enum Result {
    /** Another node has it, or it is not due any more. */
    GONE,
    /** A copy was sent. */
    SENT,
    /** It was captured, and is handled in its place. */
    RESTORED
  }

  /** A copy of a message was not sent. */
  public static final class NotHandedBack extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient KeptRow row;

    NotHandedBack(KeptRow row, NotSentException why) {
      super(why.getMessage(), why);
      this.row = row;
    }

    /** Why. */
    public NotSentException why() {
      return (NotSentException) Objects.requireNonNull(getCause());
    }

    /** Whether a copy that was sent may still come, such as one that an operator has sent. */
    private boolean isAwaited() {
      return why().reachesOthers()
          && row.sent() > 0
          && patience(row.sent()).compareTo(HandBackStore.LONGEST_PATIENCE) < 0;
    }
  }

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts stored contents
   * @param sender sends the messages
   */
  public HandBack(
      InboxConfig config, DataSource dataSource, KeptContents contents, KeptSender sender) {
    transactions = new LocalTransactions(dataSource);
    this.dataSource = dataSource;
    this.config = config;
    this.contents = contents;
    this.sender = sender;
  }

  /**
   * How long to wait for a copy before another one is sent: longer each time, so that a long queue
   * does not fill with copies.
   *
   * @param sent how often one was sent before
   */
  static Duration patience(int sent) {
    return PATIENCE.ceiling(sent + 1);
  }

  /** The messages of a consumer that have their turn, the first one first. */
  public List<Long> due(String consumer, int limit) throws SQLException {
    HandBackStore store = store();
    return transactions.eachAlone(connection -> store.due(connection, consumer, limit));
  }

  /**
   * Hands a message back.
   *
   * @throws NotHandedBack if no copy was sent, or the outcome is unknown: it stays as it is
   */
  public Result handBack(long id) throws SQLException, NotHandedBack {
    HandBackStore store = store();
    Optional<KeptRow> found = transactions.once(connection -> take(connection, store, id));
    if (found.isEmpty()) {
      return Result.GONE;
    }
    KeptRow row = found.get();
    if (row.at().isCaptured()) {
      return Result.RESTORED;
    }
    try {
      sender.send(copy(row));
    } catch (NotSentException notSent) {
      throw new NotHandedBack(row, notSent);
    }
    return Result.SENT;
  }

  private static Optional<KeptRow> take(Connection connection, HandBackStore store, long id)
      throws SQLException {
    Optional<KeptRow> row = store.claim(connection, id);
    if (row.isPresent() && !row.get().at().isCaptured()) {
      store.send(connection, row.get(), patience(row.get().sent()));
    }
    return row;
  }

  private Outgoing copy(KeptRow row) {
    return Outgoing.of(
        row,
        row.nextGeneration(),
        row.releasedAs(),
        row.replies(),
        true,
        Outgoing.open(contents, row));
  }

  /** Has a message of which no copy was sent have its turn again. */
  public void again(NotHandedBack failed) throws SQLException {
    HandBackStore store = store();
    transactions.once(
        connection -> {
          store.notSent(connection, failed.row);
          return true;
        });
  }

  /**
   * Leaves a message, of which no copy can be sent, to an operator; if one was sent before, only
   * once that has not come for more than a day.
   *
   * @return whether it is left to one now
   */
  public boolean giveUp(NotHandedBack failed) throws SQLException {
    if (failed.isAwaited()) {
      return false;
    }
    HandBackStore store = store();
    String text = Storable.cut(String.valueOf(failed.why().getMessage()), LONGEST_ERROR);
    return transactions.once(connection -> store.giveUp(connection, failed.row, text));
  }

  private HandBackStore store() throws SQLException {
    if (known.isEmpty()) {
      try (Connection connection = dataSource.getConnection()) {
        known =
            Optional.of(
                new HandBackStore(Dialect.of(connection, "inbox"), config.tables(), contents));
      }
    }
    return known.get();
  }
}
