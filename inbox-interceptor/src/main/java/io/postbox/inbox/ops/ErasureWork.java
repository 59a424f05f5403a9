package io.postbox.inbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.ActionRunner.StepFailed;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.ErasureSteps;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.inbox.log.ActionLog;
import io.postbox.inbox.store.BusyRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The steps of erasures, and of all other actions. Not thread-safe.
 *
 * @param steps of erasures
 * @param places where to look for a target
 * @param dialect the database's
 * @param others the steps of actions on kept messages
 */
record ErasureWork(
    ErasureSteps steps,
    Function<ErasureQuery, List<ErasurePlace<?>>> places,
    Dialect dialect,
    ActionRunner.Work others)
    implements ActionRunner.Work {
  /** For a lock, which a handler may have as long as it runs. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /** Then other actions have their turn. */
  private static final Duration UNTIL_NEXT_LOOK = Duration.ofSeconds(1);

  private static boolean isErasure(OperatorAction action) {
    return action.kind().equals(ErasureControl.KIND);
  }

  @Override
  public void prepare(Connection connection, Claimed seen) throws SQLException {
    if (!isErasure(seen.action())) {
      others.prepare(connection, seen);
    }
  }

  @Override
  public Step step(Connection connection, Claimed claimed) throws SQLException {
    BusyRows.limitWaits(connection, dialect, LONGEST_WAIT);
    try {
      return isErasure(claimed.action())
          ? steps.step(connection, claimed, places.apply(ErasureQuery.of(claimed.plan())))
          : others.step(connection, claimed);
    } catch (SQLException failed) {
      if (BusyRows.areShownBy(failed)) { // no failure, however long the handler runs
        throw new StepFailed(Step.waiting(UNTIL_NEXT_LOOK), failed);
      }
      throw failed;
    }
  }

  @Override
  public void beforeCommit() {
    others.beforeCommit();
  }

  @Override
  public void committed() {
    others.committed();
  }

  @Override
  public void ended(OperatorAction action) {
    if (isErasure(action) && action.state() == State.DONE) {
      ActionLog.erased(action.done(), action.subject(), action.principal(), action.reason());
    } else {
      others.ended(action);
    }
  }

  @Override
  public void failed(Optional<UUID> action, Throwable cause) {
    others.failed(action, cause);
  }

  @Override
  public String describe(Throwable cause) {
    return others.describe(cause);
  }
}
