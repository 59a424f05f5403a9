package io.postbox.outbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.ErasureSteps;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.ActionLog;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.ActionPlan.Erase;
import io.postbox.outbox.ops.ActionPlan.Letters;
import io.postbox.outbox.ops.ActionPlan.Waiting;
import io.postbox.outbox.store.ErasureStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Starts the outbox's actions in the background, and carries them out. Thread-safe. */
public final class BackgroundActions {
  private static final int MOST_FIRST = 1_000;

  private final OutboxConfig config;
  private final ActionControl control;
  private final ActionRunner runner;
  private final ErasureControl erasure;

  /**
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   * @param key that the service's nodes share
   * @param encrypted whether the application has a cipher
   * @param wake is given the lanes that may have work
   * @param clock the node's, which is never set back; only for pauses
   */
  public BackgroundActions(
      Dialect dialect,
      OutboxConfig config,
      DataSource dataSource,
      byte[] key,
      boolean encrypted,
      Consumer<Set<Lane>> wake,
      InstantSource clock) {
    this.config = config;
    LocalTransactions transactions = new LocalTransactions(dataSource);
    ActionTable table = new ActionTable(dialect, config.tables().qualified("outbox_action"));
    ErasureStore erasures = new ErasureStore(dialect, config.tables());
    AuditStore audit = new AuditStore("outbox", config.tables(), config.service());
    Steps steps =
        new Steps(
            new LetterSteps(dialect, config, audit),
            new WaitingSteps(dialect, config, audit),
            new ErasureSteps(audit),
            erasures,
            encrypted,
            wake);
    runner = new ActionRunner(transactions, table, steps, clock);
    control =
        new ActionControl(
            transactions,
            table,
            audit,
            plans(dialect, config, dataSource),
            runner,
            ActionLog::changed,
            BackgroundActions::failure);
    erasure =
        new ErasureControl(
            transactions,
            table,
            erasures.records(),
            query -> erasures.places(query, lane -> {}),
            ErasureControl.digests(key),
            config.confidentiality().dataSubjects(),
            control,
            ActionLog::started,
            BackgroundActions::failure);
  }

  /**
   * The outbox's plans.
   *
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   */
  public static Plans plans(Dialect dialect, OutboxConfig config, DataSource dataSource) {
    return new Plans(
        LocalTransactions.retryingConflicts(dataSource),
        new ActionTable(dialect, config.tables().qualified("outbox_action")),
        new AuditStore("outbox", config.tables(), config.service()),
        OutboxLog::planRefused,
        BackgroundActions::failure);
  }

  /** Lists, pauses, resumes and cancels actions. */
  public ActionControl control() {
    return control;
  }

  private static RuntimeException failure(String what, SQLException failed) {
    return new OutboxException(what + ": " + OutboxLog.EXCEPTIONS.of(failed), failed);
  }

  /** Plans and starts erasures. */
  public ErasureControl erasure() {
    return erasure;
  }

  /** Carries them out on this node. */
  public ActionRunner runner() {
    return runner;
  }

  /**
   * Puts a plan on record.
   *
   * @param counted without a token
   * @param principal the user who asked for it
   */
  public DeadLetterPlan plan(DeadLetterPlan counted, String principal) {
    return new DeadLetterPlan(
        control
            .plans()
            .keep(
                principal,
                "dead letters as of %s: %s".formatted(counted.asOf(), counted.filter()),
                new Letters(counted.filter(), counted.asOf(), 0, 0).toJson(),
                counted.letters()),
        counted.filter(),
        counted.asOf(),
        counted.perSecond(),
        counted.destinations());
  }

  /**
   * Starts to redrive dead letters.
   *
   * @param plan its id
   * @param perSecond how many become due each second
   * @param first after how many to wait for their fate; empty for not at all
   */
  public OperatorAction redrive(
      UUID plan, int perSecond, Optional<Integer> first, String principal, String reason) {
    RelayOnly.check(
        config,
        "The dead letters cannot be redriven",
        "They are from the time when nodes relayed: set postbox.outbox.relay.mode=polling to"
            + " redrive them, or discard them");
    DeadLetterPlan.checkRate(perSecond);
    if (first.isPresent() && (first.get() < 1 || first.get() > MOST_FIRST)) {
      throw new IllegalArgumentException(
          "A redrive can wait for its first 1 to %s letters, and not %s; nothing was changed."
              .formatted(MOST_FIRST, first.get()));
    }
    return start(
        new Order(plan, "redrive", principal, reason),
        Letters.class,
        letters -> new Letters(letters.filter(), letters.asOf(), perSecond, first.orElse(0)));
  }

  /**
   * Starts to discard dead letters.
   *
   * @param plan its id
   */
  public OperatorAction discard(UUID plan, String principal, String reason) {
    return start(new Order(plan, "discard", principal, reason), Letters.class, letters -> letters);
  }

  /**
   * Starts to discard waiting messages.
   *
   * @param plan its id
   */
  public OperatorAction discardWaiting(UUID plan, String principal, String reason) {
    return start(
        new Order(plan, "discard-waiting", principal, reason), Waiting.class, waiting -> waiting);
  }

  private <P extends ActionPlan> OperatorAction start(
      Order order, Class<P> kind, UnaryOperator<P> how) {
    OperatorAction started =
        control.start(
            order, json -> ActionPlan.of(json, kind).map(plan -> how.apply(plan).toJson()));
    ActionLog.started(started);
    return started;
  }

  /** The steps of all kinds of actions. */
  private record Steps(
      LetterSteps letters,
      WaitingSteps waiting,
      ErasureSteps erasing,
      ErasureStore erasures,
      boolean encrypted,
      Consumer<Set<Lane>> wake,
      Set<Lane> lanes)
      implements ActionRunner.Work {

    Steps(
        LetterSteps letters,
        WaitingSteps waiting,
        ErasureSteps erasing,
        ErasureStore erasures,
        boolean encrypted,
        Consumer<Set<Lane>> wake) {
      this(letters, waiting, erasing, erasures, encrypted, wake, new HashSet<>());
    }

    @Override
    public void prepare(Connection connection, Claimed seen) throws SQLException {
      if (ActionPlan.of(seen.plan()) instanceof Letters plan) {
        letters.prepare(connection, seen, plan);
      }
    }

    @Override
    public Step step(Connection connection, Claimed claimed) throws SQLException {
      lanes.clear();
      ActionPlan plan = ActionPlan.of(claimed.plan());
      if (plan instanceof Erase erase) {
        return erasing.step(connection, claimed, erasures.places(erase.query(), lanes::add));
      }
      return plan instanceof Waiting discard
          ? waiting.step(connection, claimed, discard, lanes)
          : letters.step(connection, claimed, (Letters) plan, lanes);
    }

    @Override
    public void committed() {
      letters.committed();
      wake.accept(Set.copyOf(lanes));
      lanes.clear();
    }

    @Override
    public void ended(OperatorAction action) {
      if (action.state() == State.DONE) {
        done(action);
      } else {
        ActionLog.stopped(action);
      }
    }

    private static void done(OperatorAction action) {
      switch (action.kind()) {
        case "redrive" ->
            OutboxLog.redriven(
                action.done(), action.subject(), action.principal(), action.reason());
        case "discard" ->
            OutboxLog.discarded(
                action.done(), action.subject(), action.principal(), action.reason());
        case ErasureControl.KIND ->
            ActionLog.erased(action.done(), action.subject(), action.principal(), action.reason());
        default ->
            OutboxLog.waitingDiscarded(
                action.done(), action.subject(), action.principal(), action.reason());
      }
    }

    @Override
    public void failed(Optional<UUID> action, Throwable cause) {
      ActionLog.stepFailed(action, cause);
    }

    @Override
    public String describe(Throwable cause) {
      return OutboxLog.EXCEPTIONS.brief(cause, encrypted);
    }
  }
}
