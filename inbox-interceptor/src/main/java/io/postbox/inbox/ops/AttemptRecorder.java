package io.postbox.inbox.ops;

import io.postbox.common.config.Durations;
import io.postbox.common.log.Throttle;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.receiver.AttemptLog;
import io.postbox.inbox.receiver.RecordedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the attempts of this process. A thread that holds no resources of deliveries renews the
 * row of an attempt every few seconds while it runs, and deletes it at the end. So a row that is no
 * longer renewed belongs to a process that died, or that is frozen or cut off. Once such a process
 * runs again, it deletes its row, which then no longer counts.
 *
 * <p>A crash ends the attempts of innocent messages too. So each message that was being handled in
 * a crashed process is then attempted alone: no other redelivered message is handled in the same
 * process. Innocent ones get through and are cleared. First deliveries go on beside it.
 *
 * <p>Possible redeliveries without a record of an earlier attempt go on beside it too: for a while
 * after two unclean shutdowns soon after each other, which {@code inbox_node} shows, all deliveries
 * are recorded. Thread-safe.
 */
public final class AttemptRecorder implements AttemptLog {
  /** How often running attempts have to be {@link #renew() renewed}. */
  public static final Duration BEAT = UncleanShutdowns.BEAT;

  /** The process of an attempt that was not renewed for this long counts as dead. */
  public static final Duration LEASE = BEAT.multipliedBy(3);

  /** How long one message may keep other redelivered ones waiting. */
  static final Duration LONGEST_TURN = Duration.ofMinutes(5);

  /** How long no further attempt begins after a suspect asked to run alone. */
  private static final Duration RESERVATION = Duration.ofSeconds(30);

  /**
   * For how long a network may still deliver a commit to the database, after its sender abandoned
   * it.
   */
  static final Duration LATEST_COMMIT = Duration.ofMinutes(20);

  private static final Duration SHORTEST_MEMORY = Duration.ofDays(7);
  private static final Duration BETWEEN_CLEANINGS = UncleanShutdowns.SOON;

  private final AttemptRows.Transactions transactions;
  private final String node;
  private final Duration retention;
  private final Executor executor;
  private final LongSupplier nanos;
  private final Throttle attemptLines;
  private final Throttle presenceLines;
  private final ProcessHeartbeat presence;
  private final Map<Long, Turn> atWork = new HashMap<>();
  private final List<Ended> ended = new ArrayList<>();
  private final Map<Long, Long> doubted = new HashMap<>();
  private boolean isDeleting;
  private boolean stopped;
  private int running;
  private boolean isTaken;
  private @Nullable Long exclusiveSince;
  private long wantedAt;
  private @Nullable Long cleanedAt;

  private record Ended(RecordedAttempt begun, boolean clears) {}

  /**
   * @param transactions run outside of deliveries' transactions
   * @param node identifies this process, also against an earlier one of the same name
   * @param retention how long ids are remembered; rows of older attempts are deleted
   * @param executor runs the task that deletes rows of ended attempts, in no transaction
   * @param nanos a monotonic clock in nanoseconds
   * @param wall the node's clock, by which messages' ids were made
   */
  public AttemptRecorder(
      AttemptRows.Transactions transactions,
      String node,
      Duration retention,
      Executor executor,
      LongSupplier nanos,
      InstantSource wall) {
    this.transactions = transactions;
    this.node = node;
    this.retention = Durations.longer(SHORTEST_MEMORY, retention);
    this.executor = executor;
    this.nanos = nanos;
    attemptLines = new Throttle(nanos);
    presenceLines = new Throttle(nanos);
    presence = new ProcessHeartbeat(transactions, node, nanos, wall);
  }

  /**
   * The state of this process's records of deliveries.
   *
   * @param recorded how many recorded attempts it has in hand
   * @param isAlone whether one of them runs alone, because its message may have ended a process
   * @param isWary whether it records all deliveries
   */
  public record Status(int recorded, boolean isAlone, boolean isWary) {}

  /** The present state of these records, without I/O. */
  public Status status() {
    boolean isWary = presence.isWary();
    synchronized (this) {
      return new Status(atWork.size(), isTaken, isWary);
    }
  }

  @Override
  public boolean mayBeRedelivery(String messageId) {
    return presence.mayBeRedelivery(messageId);
  }

  @Override
  public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
    Turn[] turn = {Turn.NONE};
    @Nullable Long[] inserted = {null};
    try {
      RecordedAttempt begun =
          transactions.commit(
              rows -> {
                List<Unended> left = rows.left(consumer, messageId);
                Crashes sofar = Crashes.of(left, node, LEASE);
                boolean hasOthers = isAnyOfOthers(left);
                turn[0] = isRedelivery || hasOthers ? takeTurn(sofar.areSuspicious()) : Turn.BESIDE;
                boolean alone = turn[0] == Turn.ALONE;
                inserted[0] =
                    turn[0] == Turn.NONE ? null : rows.insert(consumer, messageId, node, alone);
                return new RecordedAttempt(
                    consumer, messageId, inserted[0], alone, inserted[0] == null, hasOthers, sofar);
              });
      begins(begun, turn[0]);
      return begun;
    } catch (Throwable failed) { // the attempt runs all the same, uncounted
      giveBack(turn[0]);
      doubt(inserted[0]);
      notRecorded(failed);
      if (failed instanceof Error error) {
        throw error;
      }
      return RecordedAttempt.unrecorded(consumer, messageId);
    }
  }

  /**
   * Has a row deleted whose commit failed: the database may have committed it all the same, or may
   * yet, and nothing else would ever end the attempt.
   */
  private synchronized void doubt(@Nullable Long row) {
    if (row != null) {
      doubted.put(row, nanos.getAsLong());
    }
  }

  private enum Turn {
    /** The attempt must wait: another one runs alone, or this one must. */
    NONE,
    ALONE,
    IN_COMPANY,
    /** The attempt waits for no other, and no other waits for it. */
    BESIDE
  }

  /**
   * Whether another process has an unended attempt, even a young one: a process may restart before
   * the row counts as a crash.
   */
  private boolean isAnyOfOthers(List<Unended> left) {
    return left.stream().anyMatch(one -> !one.node().equals(node));
  }

  /** Decides how an attempt may begin; one that has waited too long begins in company. */
  private synchronized Turn takeTurn(boolean alone) {
    long now = nanos.getAsLong();
    boolean isWanted = exclusiveSince != null && now - wantedAt < RESERVATION.toNanos();
    if (!isTaken && !isWanted) {
      exclusiveSince = null;
    }
    boolean isOverdue = exclusiveSince != null && now - exclusiveSince >= LONGEST_TURN.toNanos();
    Turn turn = Turn.IN_COMPANY;
    if (alone && running == 0) {
      isTaken = true;
      exclusiveSince = now;
      turn = Turn.ALONE;
    } else if (!isOverdue && (alone || exclusiveSince != null)) {
      turn = Turn.NONE;
    }
    if (alone && turn == Turn.NONE) {
      wantedAt = now;
      exclusiveSince = exclusiveSince == null ? (Long) now : exclusiveSince;
    }
    running += turn == Turn.NONE ? 0 : 1;
    return turn;
  }

  private synchronized void giveBack(Turn turn) {
    running -= turn == Turn.ALONE || turn == Turn.IN_COMPANY ? 1 : 0;
    if (turn == Turn.ALONE) {
      isTaken = false;
      exclusiveSince = null;
    }
  }

  private synchronized void begins(RecordedAttempt begun, Turn turn) {
    if (begun.row() != null) {
      atWork.put(begun.row(), turn);
    }
  }

  private synchronized Turn turnOf(long row) {
    return atWork.getOrDefault(row, Turn.NONE);
  }

  @Override
  public void ends(RecordedAttempt begun, boolean handlerEnded) {
    if (begun.row() == null) {
      return;
    }
    giveBack(turnOf(begun.row()));
    if (take(new Ended(begun, handlerEnded))) {
      try {
        executor.execute(this::deleteEnded);
      } catch (RuntimeException | Error refused) { // the next renewal or the stop deletes it
        doNotDelete();
      }
    }
  }

  /** Queues an ended attempt, and returns whether the task has to be started. */
  private synchronized boolean take(Ended one) {
    ended.add(one);
    boolean start = !isDeleting && !stopped;
    isDeleting |= start;
    return start;
  }

  private synchronized void doNotDelete() {
    isDeleting = false;
  }

  private void deleteEnded() {
    for (List<Ended> some = next(); !some.isEmpty(); some = next()) {
      try {
        delete(some);
      } catch (Throwable failed) { // the next renewal deletes them
        putBack(some);
        doNotDelete();
        return;
      }
    }
  }

  private void delete(List<Ended> some) throws SQLException {
    List<Long> rows = some.stream().map(one -> one.begun().row()).toList();
    transactions.commit(
        on -> {
          on.delete(rows);
          for (Ended one : some) {
            if (one.clears() && one.begun().hasOthers()) {
              on.deleteAll(one.begun().consumer(), one.begun().messageId());
            }
          }
          return true;
        });
    deleted(rows);
  }

  private synchronized List<Ended> next() {
    List<Ended> some = List.copyOf(ended);
    ended.clear();
    isDeleting = !some.isEmpty();
    return some;
  }

  private synchronized void putBack(List<Ended> some) {
    ended.addAll(some);
  }

  private synchronized void deleted(List<Long> rows) {
    rows.forEach(atWork::remove);
  }

  /**
   * Renews this process's heartbeat and its running attempts, and deletes ended attempts that could
   * not be deleted at their end, and for a while those of which nobody knows whether they exist.
   * Call it every {@link #BEAT}, outside of transactions; never throws.
   */
  public void renew() {
    beat();
    if (takeAny()) {
      deleteEnded();
    }
    Set<Long> rows = atWork();
    Set<Long> doubts = doubted();
    boolean hasLived = hasCleaned(); // at its start it may be the next one to die
    boolean clean = isTimeToClean();
    if (rows.isEmpty() && doubts.isEmpty() && !clean) {
      return;
    }
    try {
      transactions.commit(
          on -> {
            if (!rows.isEmpty()) {
              on.renew(rows);
            }
            if (!doubts.isEmpty()) {
              on.delete(doubts);
            }
            if (clean) {
              on.forget(retention);
              on.forgetProcesses(ProcessHeartbeat.MEMORY);
              if (hasLived) {
                on.forgetReplaced(UncleanShutdowns.SOON);
              }
            }
            return true;
          });
    } catch (Throwable failed) { // not even an Error may prevent the next renewal
      if (!rows.isEmpty()) {
        notRecorded(failed);
      }
    }
  }

  private void beat() {
    try {
      presence.beat();
    } catch (Throwable failed) { // not even an Error may prevent the next heartbeat
      presenceNotRecorded(failed);
    }
  }

  private synchronized boolean takeAny() {
    boolean start = !isDeleting && !ended.isEmpty();
    isDeleting |= start;
    return start;
  }

  private synchronized Set<Long> atWork() {
    return Set.copyOf(atWork.keySet());
  }

  private synchronized Set<Long> doubted() {
    long now = nanos.getAsLong();
    doubted.values().removeIf(since -> now - since > LATEST_COMMIT.toNanos());
    return Set.copyOf(doubted.keySet());
  }

  private synchronized boolean hasCleaned() {
    return cleanedAt != null;
  }

  private synchronized boolean isTimeToClean() {
    long now = nanos.getAsLong();
    boolean clean = cleanedAt == null || now - cleanedAt >= BETWEEN_CLEANINGS.toNanos();
    if (clean) {
      cleanedAt = now;
    }
    return clean;
  }

  private synchronized void notRecorded(Throwable cause) {
    if (!stopped) {
      attemptLines.tell(times -> InboxLog.attemptsNotRecorded(times, cause));
    }
  }

  private synchronized void presenceNotRecorded(Throwable cause) {
    if (!stopped) {
      presenceLines.tell(times -> InboxLog.presenceNotRecorded(cause));
    }
  }

  /**
   * Deletes the heartbeat and all attempts of this process, which stops in an orderly way. Waits
   * for the database.
   */
  public void stop() {
    synchronized (this) {
      stopped = true;
    }
    leave();
    Set<Long> rows = new HashSet<>(atWork());
    rows.addAll(doubted());
    if (rows.isEmpty()) {
      return;
    }
    try {
      transactions.commit(
          on -> {
            on.delete(rows);
            return true;
          });
    } catch (SQLException | RuntimeException failed) {
      InboxLog.attemptsNotRecorded(rows.size(), failed);
    }
  }

  private void leave() {
    try {
      presence.leave();
    } catch (SQLException | RuntimeException failed) {
      InboxLog.presenceNotRecorded(failed);
    }
  }
}
