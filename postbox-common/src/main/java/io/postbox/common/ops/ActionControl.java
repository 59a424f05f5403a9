package io.postbox.common.ops;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.OperatorActions;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.log.SharedLog;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Starts, lists, pauses, resumes and cancels a module's actions, each in a transaction of its own,
 * and audits that. {@link OperatorActions} says what the methods do. Thread-safe.
 *
 * @param calls for the rows
 * @param plans those that become actions
 * @param runner carries the actions out
 * @param log the module's
 */
public record ActionControl(OperatorCalls calls, Plans plans, ActionRunner runner, SharedLog log) {
  /** How long a caller waits for the end of an action. */
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  /** How often a caller looks at an action that another node may have. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private static final int LONGEST_PAGE = 1_000;

  /** A change of an action's state. */
  private record Transition(String verb, String past, Predicate<State> from, State to) {}

  private static final Transition PAUSE =
      new Transition("pause", "paused", State.RUNNING::equals, State.PAUSED);

  private static final Transition RESUME =
      new Transition("resume", "resumed", State::isResumable, State.RUNNING);

  private static final Transition CANCEL =
      new Transition(
          "cancel",
          "cancelled",
          state -> state == State.RUNNING || state.isResumable(),
          State.CANCELLED);

  /** The actions. */
  public ActionTable table() {
    return plans.table();
  }

  /**
   * Starts an action.
   *
   * @param work what there is to do, of the plan in its row; empty if that is for something else
   * @throws PlanRefusedException if the plan cannot be carried out, or not by the caller
   * @throws IllegalStateException if too many actions are unfinished; the plan stays valid
   */
  public OperatorAction start(Order order, Function<String, Optional<String>> work) {
    OperatorAction started =
        plans.commit(
            order,
            (connection, plan) -> {
              Optional<String> todo = work.apply(plan.plan());
              if (todo.isEmpty()) {
                return Optional.empty();
              }
              if (plan.isFull()) {
                throw new IllegalStateException(
                    "%s actions are unfinished, and no more are started; nothing was changed, and the plan stays valid. Wait for them, or cancel those that are paused."
                        .formatted(ActionTable.MOST_UNFINISHED));
              }
              plans.begin(connection, order, plan.subject(), todo.get(), State.RUNNING, 0);
              return table().get(connection, order.plan());
            });
    runner.wake();
    log.actionStarted(started);
    return started;
  }

  /**
   * Waits for the end of an action that was just started, at most a minute. The action runs on
   * threads of its own, here or on another node, so it neither takes part in the caller's
   * transaction nor ends with the caller.
   *
   * @return the action, which is done
   * @throws ActionUnfinishedException if it has stopped before its end, if it has not ended in
   *     time, or if the thread is interrupted, which stays so
   */
  public OperatorAction untilDone(OperatorAction started) {
    Instant until = runner.now().plus(PATIENCE);
    while (true) {
      CountDownLatch end = runner.nextEnd(); // before the look, so that none is missed
      OperatorAction action =
          calls
              .commit(
                  "The %s %s was started and goes on in the background, but it cannot be read"
                      .formatted(started.kind(), started.id()),
                  connection -> table().get(connection, started.id()))
              .orElse(started);
      if (action.state() == State.DONE) {
        return action;
      }
      if (action.state() != State.RUNNING) {
        throw new ActionUnfinishedException(
            action, "it is " + action.state().name().toLowerCase(Locale.ROOT));
      }
      if (!runner.now().isBefore(until)) {
        throw new ActionUnfinishedException(
            action, "it still ran after %s seconds".formatted(PATIENCE.toSeconds()));
      }
      try {
        runner.lookAgain();
        end.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new ActionUnfinishedException(action, "the thread that waited was interrupted");
      }
    }
  }

  /** The actions that were started last. */
  public List<OperatorAction> list(int size) {
    checkSize(size);
    return calls.ask("The actions cannot be read", connection -> table().list(connection, size));
  }

  /** The actions that were started before another one. */
  public List<OperatorAction> list(UUID after, int size) {
    checkSize(size);
    return calls.ask(
        "The actions cannot be read",
        connection -> {
          Optional<OperatorAction> last = table().get(connection, after);
          return last.isEmpty() ? List.of() : table().list(connection, last.get(), size);
        });
  }

  /** One action. */
  public Optional<OperatorAction> get(UUID id) {
    return calls.ask("The action cannot be read", connection -> table().get(connection, id));
  }

  /** Pauses an action, and returns whether it was running. */
  public boolean pause(UUID id, String principal, String reason) {
    return change(PAUSE, id, principal, reason);
  }

  /** Resumes an action, and returns whether it was paused or failed. */
  public boolean resume(UUID id, String principal, String reason) {
    boolean resumed = change(RESUME, id, principal, reason);
    runner.wake();
    return resumed;
  }

  /** Cancels an action, and returns whether it could still go on. */
  public boolean cancel(UUID id, String principal, String reason) {
    return change(CANCEL, id, principal, reason);
  }

  private boolean change(Transition transition, UUID id, String principal, String reason) {
    Order order = new Order(transition.verb() + "-action", principal, reason);
    Optional<OperatorAction> changed =
        calls.commit(
            "The action was not changed (%s)".formatted(transition.verb()),
            connection -> {
              Optional<OperatorAction> found =
                  table().lock(connection, id).filter(it -> transition.from().test(it.state()));
              if (found.isPresent()) {
                save(connection, found.get(), transition.to());
                String subject =
                    "%s %s: %s".formatted(found.get().kind(), id, found.get().subject());
                plans.audit().write(connection, order.entry(subject), 0);
              }
              return found;
            });
    changed.ifPresent(
        action -> log.actionChanged(action, transition.past(), principal, order.reason()));
    return changed.isPresent();
  }

  private void save(Connection connection, OperatorAction action, State to) throws SQLException {
    table()
        .save(
            connection,
            action.id(),
            to == State.CANCELLED
                ? cancelled(connection, action)
                : new Change(to, 0, 0, null, null));
    if (to == State.RUNNING) {
      table().toTheBack(connection, action.id());
    }
  }

  /** An erasure keeps its counts, but neither its place, which is a key, nor a database's words. */
  private Change cancelled(Connection connection, OperatorAction action) throws SQLException {
    if (!action.kind().equals(ErasureControl.KIND)) {
      return new Change(State.CANCELLED, 0, 0, null, action.note());
    }
    ErasureProgress progress = ErasureProgress.of(table().progress(connection, action.id()));
    return new Change(State.CANCELLED, 0, 0, progress.nextRound().toJson(), null);
  }

  private static void checkSize(int size) {
    if (size < 1 || size > LONGEST_PAGE) {
      throw new IllegalArgumentException(
          "A page has 1 to %s actions, and not %s".formatted(LONGEST_PAGE, size));
    }
  }
}
