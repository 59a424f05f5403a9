package io.postbox.common.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.config.Backoff;
import io.postbox.common.config.Durations;
import io.postbox.common.log.SharedLog;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Change;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.LocalTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Carries out this node's share of the operators' actions: the steps of the action whose turn it
 * is, each in a transaction that has locked the action's row and saves its progress. While another
 * node has the row, this one looks again later. An action that only waits lets those behind it go
 * on, and keeps its place before them for when its wait is over. Nothing else is remembered between
 * two steps that the row does not have, so any node can take the next one. Thread-safe; the steps
 * run on one thread at a time.
 */
public final class ActionRunner {
  /** How long a node that found nothing to do waits, with one look at an index each time. */
  public static final Duration IDLE = Duration.ofSeconds(5);

  /** After so many failures in a row of a database that answers, the action fails. */
  static final int TRIES = 5;

  private static final Duration UNTIL_NEXT_LINE = Duration.ofMinutes(10);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  private final LocalTransactions transactions;
  private final ActionTable table;
  private final Work work;
  private final InstantSource clock;
  private final SharedLog log;
  private Instant next = Instant.MIN;
  private boolean isRunning;
  private boolean isWoken;
  private @Nullable Executor executor;
  private volatile CountDownLatch nextEnd = new CountDownLatch(1);
  private volatile boolean isStopped;

  // Only for the thread that runs.
  private int failuresInARow;
  private Instant loggedAt = Instant.MIN;
  private @Nullable UUID current;
  private final Map<UUID, Instant> waiting = new HashMap<>();

  /**
   * @param transactions for the steps
   * @param table the actions
   * @param work knows the steps
   * @param clock the node's, which is never set back; only for pauses
   * @param log the module's
   */
  public ActionRunner(
      LocalTransactions transactions,
      ActionTable table,
      Work work,
      InstantSource clock,
      SharedLog log) {
    this.transactions = transactions;
    this.table = table;
    this.work = work;
    this.clock = clock;
    this.log = log;
  }

  /**
   * The result of a step.
   *
   * @param change the change to save, in the step's transaction
   * @param pause how long until the next step of this action, while others take theirs; {@code
   *     null} for at once
   */
  public record Step(Change change, @Nullable Duration pause) {
    private static final Change NOTHING = new Change(State.RUNNING, 0, 0, null, null);

    /** It changed nothing, and the next one follows after this time. */
    public static Step waiting(Duration wait) {
      return new Step(NOTHING, wait);
    }

    /** It changed nothing, because another node was faster; the next one follows. */
    public static Step again() {
      return new Step(NOTHING, null);
    }

    /** It changed messages, and the next one follows. */
    public static Step goOn(long done, String progress) {
      return new Step(new Change(State.RUNNING, done, 0, progress, null), null);
    }

    /** It was the last one. */
    public static Step last(long done, String progress) {
      return new Step(new Change(State.DONE, done, 0, progress, null), null);
    }

    /** It stops the action. */
    public static Step stop(State state, long failures, String progress, String note) {
      return new Step(new Change(state, 0, failures, progress, note), null);
    }

    private boolean isSaved() {
      return !change.equals(NOTHING);
    }
  }

  /** Others have what a step needs; its transaction is rolled back, and others take their turn. */
  public static final class Busy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Duration pause;

    /**
     * @param pause how long until the next try
     */
    public Busy(Duration pause, Throwable cause) {
      super(cause);
      this.pause = pause;
    }
  }

  /** The module's part of actions. Called by one thread at a time. */
  public interface Work {
    /**
     * Prepares the next step, without a transaction.
     *
     * @param seen the action, without a lock
     */
    default void prepare(Connection connection, Claimed seen) throws SQLException {}

    /**
     * Takes a step. Called again after a lock time-out or deadlock.
     *
     * @param connection the transaction's, in which the action's row is locked
     * @param claimed the action
     * @throws Busy if others have what it needs
     */
    Step step(Connection connection, Claimed claimed) throws SQLException;

    /** Called after the commit of a step. */
    default void committed() {}

    /** An action, other than an erasure, is done. Logs it. */
    void done(OperatorAction action);

    /** Whether exceptions may tell what is encrypted, so that no text of theirs is stored. */
    boolean isEncrypted();
  }

  /**
   * Looks at once, after the steps that run now if there are any: an action was started or resumed
   * here. A node that has not run any yet looks when it begins to.
   */
  public void wake() {
    synchronized (this) {
      isWoken = true;
    }
    lookAgain();
  }

  /** Runs steps if that is due, on the executor that ran the last ones. Returns at once. */
  void lookAgain() {
    Executor last;
    synchronized (this) {
      last = executor;
    }
    if (last != null) {
      runIfDue(last);
    }
  }

  /** Counted down when the next action ends here. */
  CountDownLatch nextEnd() {
    return nextEnd;
  }

  /** The node's time. */
  Instant now() {
    return clock.instant();
  }

  /** Lets the present step end, and takes no more. */
  public void stop() {
    isStopped = true;
  }

  /**
   * Runs steps if that is due and none are running. Returns at once, and never throws.
   *
   * @param executor runs them, now and when this is woken, on another thread than the caller's
   */
  public void runIfDue(Executor executor) {
    if (!begin(executor)) {
      return;
    }
    try {
      executor.execute(this::runSteps);
    } catch (RuntimeException | Error refused) { // the executor is full, or there is no thread
      log.stepFailed(Optional.empty(), refused);
      ended(BACKOFF.max());
    }
  }

  private synchronized boolean begin(Executor on) {
    executor = on;
    boolean begins = !isRunning && !isStopped && (isWoken || !clock.instant().isBefore(next));
    if (begins) {
      isRunning = true;
      isWoken = false;
    }
    return begins;
  }

  private synchronized void ended(Duration wait) {
    isRunning = false;
    next = clock.instant().plus(wait);
  }

  private void runSteps() {
    Duration wait = BACKOFF.max();
    try {
      do {
        wait = round();
      } while (isWokenAgain());
    } finally {
      ended(wait);
    }
  }

  private synchronized boolean isWokenAgain() {
    boolean goesOn = isWoken && !isStopped;
    isWoken = false;
    return goesOn;
  }

  private Duration round() {
    try {
      return untilNothingIsDue();
    } catch (SQLException | RuntimeException | Error failed) {
      return afterFailure(failed);
    }
  }

  private Duration untilNothingIsDue() throws SQLException {
    while (!isStopped) {
      Interrupts.forget(); // by the step before, which calls ciphers and connection factories
      current = null;
      Optional<Claimed> seen =
          transactions.eachAlone(
              connection -> {
                Optional<Claimed> found = ready(connection);
                if (found.isPresent()) {
                  current = found.get().action().id();
                  work.prepare(connection, found.get());
                }
                return found;
              });
      if (seen.isEmpty()) {
        return untilOneIsReady();
      }
      Optional<Duration> wait = step(seen.get());
      failuresInARow = 0;
      if (wait.isPresent()) {
        return wait.get();
      }
    }
    return IDLE;
  }

  /**
   * The first action that does not wait; one look at an index if none waits in front of it, and at
   * most three.
   */
  private Optional<Claimed> ready(Connection connection) throws SQLException {
    Optional<Claimed> first = table.next(connection);
    if (first.isEmpty()) {
      waiting.clear();
    }
    if (first.isEmpty() || !isWaiting(first.get().action().id())) {
      return first;
    }
    List<UUID> inTurn = table.running(connection);
    waiting.keySet().retainAll(inTurn);
    Optional<UUID> next = inTurn.stream().filter(id -> !isWaiting(id)).findFirst();
    return next.isEmpty() ? Optional.empty() : table.read(connection, next.get());
  }

  private boolean isWaiting(UUID id) {
    Instant until = waiting.get(id);
    return until != null && clock.instant().isBefore(until);
  }

  /** Another node may start an action meanwhile. */
  private Duration untilOneIsReady() {
    Instant now = clock.instant();
    Duration first =
        waiting.values().stream()
            .filter(now::isBefore)
            .map(until -> Duration.between(now, until))
            .min(Comparator.naturalOrder())
            .orElse(IDLE);
    return Durations.shorter(first, IDLE);
  }

  /** Takes a step, and returns how long to wait then, if at all. */
  private Optional<Duration> step(Claimed seen) throws SQLException {
    Optional<Taken> taken;
    try {
      taken = transactions.commit(connection -> take(connection, seen.action().id()));
    } catch (Busy busy) {
      waiting.put(seen.action().id(), clock.instant().plus(busy.pause));
      return Optional.empty();
    }
    if (taken.isEmpty()) { // another node has it, or it does not run any more
      return Optional.of(BACKOFF.first());
    }
    work.committed();
    taken.get().ended().ifPresent(this::stopped);
    Duration pause = taken.get().step().pause();
    if (pause == null) {
      waiting.remove(seen.action().id());
    } else {
      waiting.put(seen.action().id(), clock.instant().plus(pause));
    }
    return Optional.empty();
  }

  private void stopped(OperatorAction action) {
    try {
      if (action.state() != State.DONE) {
        log.actionStopped(action);
      } else if (action.kind().equals(ErasureControl.KIND)) {
        log.erased(action);
      } else {
        work.done(action);
      }
    } finally {
      CountDownLatch end = nextEnd;
      nextEnd = new CountDownLatch(1);
      end.countDown();
    }
  }

  /**
   * A step that was taken.
   *
   * @param ended the action, if it stops
   */
  private record Taken(Step step, Optional<OperatorAction> ended) {}

  private Optional<Taken> take(Connection connection, UUID id) throws SQLException {
    Optional<Claimed> claimed = running(connection, id);
    return claimed.isEmpty()
        ? Optional.empty()
        : Optional.of(save(connection, id, work.step(connection, claimed.get())));
  }

  private Optional<Claimed> running(Connection connection, UUID id) throws SQLException {
    return table.claim(connection, id).filter(claimed -> claimed.action().state() == State.RUNNING);
  }

  private Taken save(Connection connection, UUID id, Step step) throws SQLException {
    if (!step.isSaved()) {
      return new Taken(step, Optional.empty());
    }
    table.save(connection, id, step.change());
    return new Taken(
        step,
        step.change().state() == State.RUNNING ? Optional.empty() : table.get(connection, id));
  }

  private Duration afterFailure(Throwable cause) {
    failuresInARow++;
    UUID failed = current;
    Instant now = clock.instant();
    if (failuresInARow == 1 || !now.isBefore(loggedAt.plus(UNTIL_NEXT_LINE))) {
      loggedAt = now;
      log.stepFailed(Optional.ofNullable(failed), cause);
    }
    if (failuresInARow >= TRIES && !Outage.isShownBy(cause) && failed != null) {
      giveUp(failed, cause);
    }
    return BACKOFF.ceiling(failuresInARow);
  }

  private void giveUp(UUID id, Throwable cause) {
    Change failed =
        new Change(State.FAILED, 0, 0, null, log.exceptions().brief(cause, work.isEncrypted()));
    try {
      transactions
          .commit(
              connection ->
                  running(connection, id).isEmpty()
                      ? Optional.<OperatorAction>empty()
                      : save(connection, id, new Step(failed, null)).ended())
          .ifPresent(this::stopped);
      failuresInARow = 0;
    } catch (SQLException | RuntimeException alsoFailed) { // the next failure tries again
      log.stepFailed(Optional.of(id), alsoFailed);
    }
  }
}
