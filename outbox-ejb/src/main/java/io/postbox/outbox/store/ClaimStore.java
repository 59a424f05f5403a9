package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Numbers;
import io.postbox.common.store.Sql;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The relay's statements within the transaction that holds a partition's row lock. Thread-safe. */
public final class ClaimStore {
  /**
   * The most octets of payloads and headers that one read returns, unless its first message alone
   * is larger.
   */
  private static final int LARGEST_BATCH = 1 << 20;

  /**
   * The condition that selects messages of a lane. It has their bounds and every column of the
   * index on pending messages, so that PostgreSQL reads that index from the first to the last of
   * them even without statistics: with the partition and the list alone it may read all waiting
   * messages of the partition.
   */
  private static final String THESE =
      """
      WHERE status = 'PENDING' AND partition_no = ? AND destination = ? AND %s
      """
          .formatted(Numbers.in("seq"));

  private final String claim;
  private final String read;
  private final List<String> complete;
  private final String fail;
  private final String hold;
  private final HeldKeys heldKeys;
  private final String keepHash;
  private final FailureStore history;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param afterSending whether sent messages are deleted or kept
   * @param longestSilence after how long without a statement the database should end a transaction
   * @param node the name under which this node records failures
   */
  public ClaimStore(
      Dialect dialect,
      TableNames tables,
      AfterSending afterSending,
      Duration longestSilence,
      String node) {
    this(dialect, tables, afterSending, longestSilence, HeldKeys.SLICE, node);
  }

  /**
   * @param slice how many followers of a released key one statement puts back to work
   */
  public ClaimStore(
      Dialect dialect,
      TableNames tables,
      AfterSending afterSending,
      Duration longestSilence,
      int slice,
      String node) {
    history = new FailureStore(dialect, tables, node);
    OutboxDialect own = new OutboxDialect(dialect);
    String message = tables.qualified("outbox_message");
    String partition = tables.qualified("outbox_partition");
    claim =
        "SELECT put_back, %s FROM %s WHERE partition_no = ? FOR UPDATE SKIP LOCKED"
            .formatted(dialect.endIfIdleFor(longestSilence), partition);
    read =
        own.readNoMoreThan(LARGEST_BATCH)
            .formatted(
                dialect.now(),
                message,
                tables.qualified("outbox_held_key"),
                tables.qualified("outbox_switch"),
                own.writers(),
                tables.qualified("outbox_redirect"));
    complete = Archive.afterSending(dialect, tables, afterSending, THESE);
    fail =
        """
        UPDATE %s
        SET attempts = attempts + ?, status = ?, due_at = %s, last_error = ?, signature = ?
        WHERE partition_no = ? AND seq = ? AND status = 'PENDING'
        """
            .formatted(message, own.nowPlusMillis());
    hold = "UPDATE %s SET status = 'HELD' %s".formatted(message, THESE);
    heldKeys = new HeldKeys(dialect, tables, slice);
    keepHash =
        """
        UPDATE %s SET payload_sha256 = ?
        WHERE partition_no = ? AND seq = ? AND status = 'PENDING' AND payload_sha256 IS NULL
        """
            .formatted(message);
  }

  /**
   * The messages that a read found.
   *
   * @param messages in order
   * @param full whether more may follow
   * @param writers the transactions that may still have been writing others
   */
  public record Batch(List<StoredMessage> messages, boolean full, Writers writers) {
    /** Keeps a copy. */
    public Batch {
      messages = List.copyOf(messages);
    }
  }

  /**
   * The numbers of transactions that had not ended when a read began, in the order in which they
   * began to write.
   *
   * @param oldest the first that may still commit; all earlier ones have ended
   * @param own the claim's own number; transactions that began to write before the claim have lower
   *     ones
   */
  public record Writers(long oldest, long own) {
    /** For a database that does not have these numbers. */
    public static final Writers UNKNOWN = new Writers(-1, 0);
  }

  /** A held ordering key: destination, key, and the message at its head. */
  public record HeldKey(String destination, String orderingKey, UUID headId) {}

  /**
   * How a key is held.
   *
   * @param key the key and its head
   * @param releasedTo while the key drains, the head's sequence number: messages in front of it may
   *     be sent; zero if it does not drain
   */
  public record Hold(HeldKey key, long releasedTo) {
    /** Whether the key is being released. */
    public boolean drains() {
      return releasedTo > 0;
    }
  }

  /**
   * The outcome of an attempt that failed.
   *
   * @param message as it was read
   * @param counts how many attempts are charged
   * @param dead whether it was the last
   * @param backoff the wait until the next attempt
   * @param error the error, its text cut to fit the column
   */
  public record Failure(
      StoredMessage message, int counts, boolean dead, Duration backoff, RecordedError error) {
    /** The message's sequence number. */
    public long seq() {
      return message.seq();
    }

    /** How many attempts have been charged, this one included. */
    public int attempts() {
      return message.attempts() + counts;
    }
  }

  /**
   * Locks a partition's row until the transaction ends, and returns how often messages were put
   * back there; empty if another transaction has the lock.
   */
  public Optional<Long> claim(Connection connection, int partition) throws SQLException {
    return Sql.first(connection, claim, row -> row.getLong(1), partition);
  }

  /**
   * The first messages of a lane whose partition is claimed, with their target if the destination
   * is redirected; none if it is paused. Do not merge it with {@link #claim}: the snapshot of a
   * single statement would be older than the last commit of the lock's previous holder. The
   * database bounds the result, by the sizes in the rows, because a driver may buffer any number of
   * rows before it returns the first one.
   *
   * @param after the sequence number after which to begin
   * @param limit the most messages to return
   */
  public Batch read(Connection connection, Lane lane, long after, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(read)) {
      statement.setString(1, lane.destination());
      statement.setInt(2, lane.partition());
      statement.setString(3, lane.destination());
      statement.setLong(4, after);
      statement.setString(5, lane.destination());
      statement.setInt(6, limit);
      List<StoredMessage> messages = new ArrayList<>();
      Writers writers = Writers.UNKNOWN;
      long found = 0;
      try (ResultSet row = statement.executeQuery()) {
        MessageRowMapper mapper = new MessageRowMapper(row);
        while (row.next()) {
          if (messages.isEmpty()) { // read by the statement, so each row has the same values
            writers = new Writers(row.getLong("oldest_writer"), row.getLong("own_number"));
            found = row.getLong("found");
          }
          messages.add(mapper.message());
        }
      }
      boolean full = found == limit || found > messages.size();
      return new Batch(messages, full, writers);
    }
  }

  /**
   * Stores the SHA-256 of payloads that were loaded for the first time; returns how many rows had
   * no hash yet.
   */
  public int keepHashes(Connection connection, int partition, Map<Long, byte[]> hashes)
      throws SQLException {
    return Sql.batch(
        connection,
        keepHash,
        hashes.entrySet(),
        hash -> new Object[] {hash.getValue(), partition, hash.getKey()});
  }

  /** Deletes, keeps or archives sent messages of a lane, and returns their number. */
  public int complete(Connection connection, Lane lane, Collection<Long> seqs) throws SQLException {
    int found = 0;
    for (String statement : complete) {
      found = updateAll(connection, statement, lane, seqs);
    }
    return found;
  }

  /** Makes followers of held keys {@code HELD}, so that they are not read again. */
  public int hold(Connection connection, Lane lane, Collection<Long> seqs) throws SQLException {
    return updateAll(connection, hold, lane, seqs);
  }

  /**
   * Writes the outcome of failed attempts, and adds them to the histories of their messages, each
   * in one batch. Returns the number of messages.
   *
   * @param texts what is stored of each error
   */
  public int fail(
      Connection connection,
      int partition,
      List<Failure> failures,
      Map<RecordedError, String> texts)
      throws SQLException {
    int changed =
        Sql.batch(
            connection,
            fail,
            failures,
            failure ->
                new Object[] {
                  failure.counts(),
                  failure.dead() ? "DEAD" : "DELAYED",
                  failure.backoff().toMillis(),
                  Objects.requireNonNull(texts.get(failure.error())),
                  failure.error().signature(),
                  partition,
                  failure.seq()
                });
    history.add(connection, failures, texts);
    return changed;
  }

  /** Which of these keys of a claimed lane are held, and how. */
  public List<Hold> heldKeys(Connection connection, Lane lane, Collection<String> keys)
      throws SQLException {
    return heldKeys.among(connection, lane, keys);
  }

  /** Records that the followers of a key have to wait, even if the key was draining. */
  public void holdKey(Connection connection, int partition, HeldKey key) throws SQLException {
    heldKeys.holdOrTakeOver(connection, partition, key);
  }

  /** Puts the followers of keys back to work: all of them, or the first slice of many. */
  public void releaseKeys(Connection connection, int partition, List<HeldKey> keys)
      throws SQLException {
    heldKeys.release(connection, partition, keys);
  }

  private static int updateAll(Connection connection, String sql, Lane lane, Collection<Long> seqs)
      throws SQLException {
    return Sql.update(connection, sql, lane.partition(), lane.destination(), Numbers.of(seqs));
  }
}
