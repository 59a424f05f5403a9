package io.postbox.outbox.store;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.Numbers;
import io.postbox.common.store.Sql;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the messages that operators decide about, dead letters and those that wait, and redrives or
 * discards them. All but the places and the fate must run in the transaction that holds the
 * partition's row lock. Thread-safe.
 */
public final class OperatorStore {
  /** A node that is silent for so long within a transaction has lost it. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  /** How long one statement waits for a partition; the transaction is then tried again. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private static final Set<String> LOCK_TIMEOUTS = Set.of("55P03", "HYT00");

  /** Dead letters or messages that wait. */
  public enum Those {
    /** Dead letters. */
    DEAD("status = 'DEAD'"),
    /** Messages that are still to be sent. */
    WAITING("status IN ('PENDING', 'DELAYED', 'HELD')");

    private final String condition;

    Those(String condition) {
      this.condition = condition;
    }
  }

  /** The states in which messages wait, in the order in which they are discarded. */
  private enum State {
    /** First, so that none of them becomes pending only to be discarded. */
    HELD("m.partition_no, m.destination, m.ordering_key"),
    DELAYED("m.due_at"),
    PENDING("m.partition_no, m.destination, m.seq");

    private final String order;

    State(String order) {
      this.order = order;
    }
  }

  private final HeldKeys heldKeys;
  private final ExpiredTogether together;
  private final String candidates;
  private final String waiting;
  private final String place;
  private final String lock;
  private final String rows;
  private final String firstWaiting;
  private final String fate;
  private final String hold;
  private final String redrive;
  private final String waitAgain;
  private final String archive;
  private final String archiveErased;
  private final String delete;

  public OperatorStore(Dialect dialect, TableNames tables) {
    String message = tables.qualified("outbox_message");
    heldKeys = new HeldKeys(dialect, tables);
    together = new ExpiredTogether(tables);
    candidates = DeadLetterViews.inOrder("m.partition_no, m.seq", message);
    waiting =
        """
        SELECT m.partition_no, m.seq FROM %s m
        WHERE m.status = '%%s' %%s %%s
        ORDER BY m.status, %%s
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(message);
    place = "SELECT partition_no, seq FROM %s WHERE id = ?".formatted(message);
    lock =
        dialect.lockRow(
            dialect.now(),
            tables.qualified("outbox_partition"),
            "partition_no = ?",
            LONGEST_SILENCE,
            LONGEST_WAIT);
    rows =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, h.head_id
        FROM %s m
        LEFT JOIN %s h
          ON h.partition_no = m.partition_no
          AND h.destination = m.destination AND h.ordering_key = m.ordering_key
        WHERE m.%%s AND m.partition_no = ? AND %s %%s
        ORDER BY m.seq
        """
            .formatted(message, tables.qualified("outbox_held_key"), Numbers.in("seq"));
    // Few unsent rows of a lane are in front of a dead letter, because the relay reads in order.
    firstWaiting =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, CAST(NULL AS UUID) AS head_id
        FROM (SELECT MIN(seq) AS seq FROM %1$s
              WHERE status = 'PENDING' AND partition_no = ? AND destination = ? AND seq < ?
                AND ordering_key = ANY (?)
              GROUP BY ordering_key) w
        JOIN %1$s m ON m.partition_no = ? AND m.seq = w.seq
        """
            .formatted(message);
    fate =
        """
        SELECT
          COUNT(CASE WHEN status = 'DEAD' OR (status <> 'SENT' AND attempts > 0) THEN 1 END),
          COUNT(CASE WHEN status IN ('PENDING', 'HELD', 'DELAYED') AND attempts = 0 THEN 1 END)
        FROM %s
        WHERE id = ANY (?)
        """
            .formatted(message);
    String these = "WHERE %%s AND partition_no = ? AND %s".formatted(Numbers.in("seq"));
    String dead = these.formatted(Those.DEAD.condition);
    hold =
        "UPDATE %s SET status = 'HELD', attempts = 0, %s %s"
            .formatted(message, unlessOverBy(dialect.now()), dead);
    redrive =
        "UPDATE %s SET status = ?, due_at = ?, attempts = 0, %s %s"
            .formatted(message, unlessOverBy("?"), dead);
    waitAgain = "UPDATE %s SET status = 'HELD' %s".formatted(message, dead);
    archive = Archive.copy(dialect, tables, "DISCARDED") + these;
    archiveErased = Archive.copyErased(dialect, tables) + these;
    delete = "DELETE FROM %s %s".formatted(message, these);
  }

  /**
   * Removes a time to live that is over by then: otherwise the letter would expire again at once.
   */
  private static String unlessOverBy(String time) {
    return "expires_at = CASE WHEN expires_at > %s THEN expires_at END".formatted(time);
  }

  /**
   * Messages that an operator has seen in a plan.
   *
   * @param those which of them
   * @param filter selects the messages
   * @param asOf only those that were dead, or enqueued, at this time
   */
  public record Selection(Those those, DeadLetterFilter filter, Instant asOf) {
    Conditions conditions() {
      return DeadLetterViews.conditions(filter)
          .and(
              those == Those.DEAD
                  // as a truth value, so that H2 does not use the index on delayed messages
                  ? Condition.of("(m.due_at <= ?) IS TRUE", asOf)
                  : Condition.until("m.created_at", asOf));
    }
  }

  /**
   * The fate of redriven letters.
   *
   * @param failedAgain how many have failed again, and are not sent yet
   * @param waiting how many have not been tried yet
   */
  public record Fate(long failedAgain, long waiting) {}

  /**
   * The place of a message.
   *
   * @param partition its partition
   * @param seq its sequence number
   */
  public record Place(int partition, long seq) {}

  /**
   * Messages about which an operator has decided.
   *
   * @param chosen these, in order
   * @param left dead letters that became so together with one of them, which holds their key, and
   *     that nobody has decided about
   */
  public record Decided(List<Row> chosen, List<Row> left) {}

  /**
   * The columns of a message that actions need.
   *
   * @param seq its sequence number
   * @param id its id
   * @param destination the logical name
   * @param key its ordering key
   * @param heldBy the id of the message that holds this key
   */
  public record Row(
      long seq, UUID id, String destination, Optional<String> key, Optional<UUID> heldBy) {
    /** Whether the messages behind it wait for it, or it has none of its own. */
    public boolean isFirst() {
      return key.isEmpty() || heldBy.equals(Optional.of(id));
    }

    private boolean holdsItsKey() {
      return key.isPresent() && isFirst();
    }

    private HeldKey asHead() {
      return new HeldKey(destination, key.orElseThrow(), id);
    }
  }

  /**
   * The places of dead letters, in order, without a lock.
   *
   * @param after the place after which to begin
   */
  public List<Place> candidates(Connection connection, Selection dead, long after, int limit)
      throws SQLException {
    Conditions conditions = dead.conditions();
    return Sql.list(
        connection,
        candidates.formatted(conditions.sql()),
        OperatorStore::place,
        after,
        conditions.values(),
        limit);
  }

  /** The place of a message, whatever its state, without a lock. */
  public Optional<Place> place(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, place, OperatorStore::place, id);
  }

  private static Place place(ResultSet row) throws SQLException {
    return new Place(row.getInt(1), row.getLong(2));
  }

  /**
   * Locks a partition until the transaction ends; waits some time if a relay has the lock.
   *
   * @return the database's time
   * @throws SQLException with the state of a lock time-out if another session has it
   */
  public Instant lock(Connection connection, int partition) throws SQLException {
    try {
      return Sql.first(connection, lock, row -> Sql.instant(row, 1), partition)
          .orElseThrow(() -> new IllegalStateException("There is no partition " + partition));
    } catch (SQLException failed) {
      if (LOCK_TIMEOUTS.contains(String.valueOf(failed.getSQLState()))) {
        throw new SQLException(
            "The partition %s is locked by another session for too long: a relay that is stuck in its batch, or an operator. Nothing of this step was changed; the health data name a stuck partition and its holder"
                .formatted(partition),
            failed.getSQLState(),
            failed);
      }
      throw failed;
    }
  }

  /** The fate of redriven letters, in a transaction without a claim. */
  public Fate fate(Connection connection, Collection<UUID> ids) throws SQLException {
    return Sql.one(connection, fate, row -> new Fate(row.getLong(1), row.getLong(2)), Sql.ids(ids));
  }

  /** Those of some messages that still are dead letters or wait, in order. */
  public List<Row> rows(Connection connection, Those those, int partition, Collection<Long> seqs)
      throws SQLException {
    return rows(connection, those, partition, seqs, Conditions.NONE);
  }

  private List<Row> rows(
      Connection connection,
      Those those,
      int partition,
      Collection<Long> seqs,
      Conditions conditions)
      throws SQLException {
    return Sql.list(
        connection,
        rows.formatted(those.condition, conditions.sql()),
        OperatorStore::row,
        partition,
        Numbers.of(seqs),
        conditions.values());
  }

  /**
   * Those of these messages that still are what the operator has seen, in order. With dead letters
   * come those of the selection that died together with one of them: a decision about the message
   * that holds a key is carried out for all of them in one step, because none may overtake another.
   */
  public Decided decided(
      Connection connection, int partition, Collection<Long> seqs, Selection selection)
      throws SQLException {
    Conditions conditions = selection.conditions();
    List<Row> found = rows(connection, selection.those(), partition, seqs, conditions);
    if (selection.those() == Those.WAITING) {
      return new Decided(found, List.of());
    }
    Decided others = together.with(connection, partition, heads(found), found, conditions);
    List<Row> all =
        Stream.concat(found.stream(), others.chosen().stream())
            .sorted(Comparator.comparing(Row::seq))
            .toList();
    return new Decided(all, others.left());
  }

  private static List<Row> heads(Collection<Row> rows) {
    return rows.stream().filter(Row::holdsItsKey).toList();
  }

  /** The first waiting message of each key in front of a sequence number. */
  public List<Row> firstWaiting(
      Connection connection,
      int partition,
      String destination,
      Collection<String> keys,
      long before)
      throws SQLException {
    return Sql.list(
        connection,
        firstWaiting,
        OperatorStore::row,
        partition,
        destination,
        before,
        Sql.texts(keys),
        partition);
  }

  /** A message, and the one that holds its key. */
  static Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("seq"),
        row.getObject("id", UUID.class),
        row.getString("destination"),
        Sql.text(row, "ordering_key"),
        Optional.ofNullable(row.getObject("head_id", UUID.class)));
  }

  /** Makes messages hold their keys, which are not held yet. */
  public void holdKeys(Connection connection, int partition, Collection<Row> heads)
      throws SQLException {
    heldKeys.hold(connection, partition, heads.stream().map(Row::asHead).toList());
  }

  /**
   * Makes dead letters wait behind the message that holds their key, and removes a time to live
   * that is over.
   */
  public void hold(Connection connection, int partition, Collection<Long> seqs)
      throws SQLException {
    if (!seqs.isEmpty()) {
      Sql.update(connection, hold, partition, Numbers.of(seqs));
    }
  }

  /**
   * Puts dead letters back to work, and removes a time to live that is over when they are due.
   *
   * @param byDueTime the letters by the time at which they are due
   * @param now letters that are due later become delayed
   */
  public void redrive(
      Connection connection, int partition, Map<Instant, List<Long>> byDueTime, Instant now)
      throws SQLException {
    Sql.batch(
        connection,
        redrive,
        byDueTime.entrySet(),
        each ->
            new Object[] {
              each.getKey().isAfter(now) ? "DELAYED" : "PENDING",
              each.getKey(),
              each.getKey(),
              partition,
              Numbers.of(each.getValue())
            });
    heldKeys.notePutBack(connection, partition);
  }

  /**
   * Makes dead letters wait that became so together with one that holds their key and is about to
   * be redriven or discarded without them. When it is gone, the relay finds the first of the others
   * expired again, and that one holds the key.
   */
  public void waitAgain(Connection connection, int partition, List<Row> letters)
      throws SQLException {
    if (!letters.isEmpty()) {
      Sql.update(connection, waitAgain, partition, seqs(letters));
    }
  }

  private static Sql.Values seqs(List<Row> rows) {
    return Numbers.of(rows.stream().map(Row::seq).toList());
  }

  /**
   * Moves messages to the archive, and releases those behind them.
   *
   * @return how many were moved
   */
  public int discard(Connection connection, Those those, int partition, Decided some)
      throws SQLException {
    return moveToArchive(connection, those, partition, some, archive);
  }

  /**
   * Discards messages of which nothing stays but that they were there. Dead letters that became so
   * together with one of them wait again.
   */
  int erase(Connection connection, Those those, int partition, List<Row> messages)
      throws SQLException {
    List<Row> left =
        those == Those.WAITING
            ? List.of()
            : together
                .with(connection, partition, heads(messages), messages, Conditions.NONE)
                .chosen();
    return moveToArchive(connection, those, partition, new Decided(messages, left), archiveErased);
  }

  private int moveToArchive(
      Connection connection, Those those, int partition, Decided some, String copy)
      throws SQLException {
    waitAgain(connection, partition, some.left());
    Sql.Values seqs = seqs(some.chosen());
    Sql.update(connection, copy.formatted(those.condition), partition, seqs);
    int deleted = Sql.update(connection, delete.formatted(those.condition), partition, seqs);
    List<HeldKey> released = heads(some.chosen()).stream().map(Row::asHead).toList();
    heldKeys.release(connection, partition, released);
    return deleted;
  }

  /**
   * Where to look for messages that wait, to discard them: each partition's held messages, the
   * delayed ones, and each partition's pending ones.
   *
   * @param lanes is given the lanes that may have work then
   */
  public List<ErasurePlace<?>> waiting(Selection waiting, int partitions, Consumer<Lane> lanes) {
    List<ErasurePlace<?>> places = new ArrayList<>();
    for (State state : State.values()) {
      IntStream.range(0, state == State.DELAYED ? 1 : partitions)
          .mapToObj(partition -> new Waiting(state, partition, waiting, lanes))
          .forEach(places::add);
    }
    return places;
  }

  /** Messages that wait in a state; none that was discarded is found again. */
  private final class Waiting implements ErasurePlace<Place> {
    private final State state;
    private final int partition;
    private final Selection selection;
    private final Consumer<Lane> lanes;

    Waiting(State state, int partition, Selection selection, Consumer<Lane> lanes) {
      this.state = state;
      this.partition = partition;
      this.selection = selection;
      this.lanes = lanes;
    }

    @Override
    public String name() {
      return "waiting";
    }

    @Override
    public LookupPage<Candidate<Place>> page(Connection connection, String after, int size)
        throws SQLException {
      Conditions conditions = selection.conditions();
      boolean isOfAll = state == State.DELAYED;
      List<Candidate<Place>> found =
          Sql.list(
                  connection,
                  waiting.formatted(
                      state,
                      isOfAll ? "" : "AND m.partition_no = ?",
                      conditions.sql(),
                      state.order),
                  OperatorStore::place,
                  new Sql.Values(isOfAll ? List.of() : List.of(partition)),
                  conditions.values(),
                  size)
              .stream()
              .sorted(Comparator.comparing(Place::partition))
              .map(it -> new Candidate<>(it, it.partition(), ""))
              .toList();
      return new LookupPage<>(
          found, found.size() < size ? Optional.empty() : Optional.of(""), Optional.empty());
    }

    @Override
    public int erase(Connection connection, List<Place> rows) throws SQLException {
      int claimed = rows.get(0).partition();
      lock(connection, claimed);
      Decided messages =
          decided(connection, claimed, rows.stream().map(Place::seq).toList(), selection);
      messages.chosen().forEach(each -> lanes.accept(new Lane(claimed, each.destination())));
      return messages.chosen().isEmpty()
          ? 0
          : discard(connection, Those.WAITING, claimed, messages);
    }
  }
}
