package io.postbox.outbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.OperatorActions;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.ErasureSteps;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.ActionLog;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ErasureStore;
import io.postbox.outbox.store.OperatorStore;
import io.postbox.outbox.store.OperatorStore.Those;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
  /** How many messages one step changes. */
  static final int MOST_AT_ONCE = 1_000;

  /** The database cancels the count of a plan after so long. */
  static final Duration LONGEST_COUNT = Duration.ofMinutes(1);

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
    Plans plans = plans(dialect, config, dataSource);
    ErasureStore erasures = new ErasureStore(dialect, config.tables());
    OperatorStore messages = new OperatorStore(dialect, config.tables());
    Steps steps =
        new Steps(
            new LetterSteps(messages, plans.audit()),
            new ErasureSteps(plans.audit()),
            messages,
            erasures,
            config.partitions(),
            encrypted,
            wake,
            new HashSet<>());
    LocalTransactions transactions = new LocalTransactions(dataSource);
    runner = new ActionRunner(transactions, plans.table(), steps, clock);
    control =
        new ActionControl(
            new OperatorCalls(transactions, OutboxLog::failure), plans, runner, ActionLog::changed);
    erasure =
        new ErasureControl(
            erasures.records(),
            query -> erasures.places(query, lane -> {}),
            ErasureControl.digests(key),
            config.confidentiality().dataSubjects(),
            control,
            ActionLog::started);
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
        new OperatorCalls(LocalTransactions.retryingConflicts(dataSource), OutboxLog::failure),
        new ActionTable(dialect, config.tables().qualified("outbox_action")),
        new AuditStore("outbox", config.tables(), config.service()),
        OutboxLog::planRefused);
  }

  /** Lists, pauses, resumes and cancels actions. */
  public ActionControl control() {
    return control;
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
                MessagePlan.ofDead(counted.filter(), counted.asOf()).toJson(),
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
    if (first.isPresent() && (first.get() < 1 || first.get() > OperatorActions.MOST_FIRST)) {
      throw new IllegalArgumentException(
          "A redrive can wait for its first 1 to %s letters, and not %s; nothing was changed."
              .formatted(OperatorActions.MOST_FIRST, first.get()));
    }
    return start(
        new Order(plan, "redrive", principal, reason),
        Those.DEAD,
        letters -> letters.redriven(perSecond, first.orElse(0)));
  }

  /**
   * Starts to discard dead letters.
   *
   * @param plan its id
   */
  public OperatorAction discard(UUID plan, String principal, String reason) {
    return start(new Order(plan, "discard", principal, reason), Those.DEAD, letters -> letters);
  }

  /**
   * Starts to discard waiting messages.
   *
   * @param plan its id
   */
  public OperatorAction discardWaiting(UUID plan, String principal, String reason) {
    return start(
        new Order(plan, "discard-waiting", principal, reason), Those.WAITING, waiting -> waiting);
  }

  private OperatorAction start(Order order, Those those, UnaryOperator<MessagePlan> how) {
    OperatorAction started =
        control.start(
            order, json -> MessagePlan.of(json, those).map(plan -> how.apply(plan).toJson()));
    ActionLog.started(started);
    return started;
  }

  /** The steps of all kinds of actions. */
  private record Steps(
      LetterSteps letters,
      ErasureSteps places,
      OperatorStore messages,
      ErasureStore erasures,
      int partitions,
      boolean encrypted,
      Consumer<Set<Lane>> wake,
      Set<Lane> lanes)
      implements ActionRunner.Work {

    @Override
    public void prepare(Connection connection, Claimed seen) throws SQLException {
      Optional<MessagePlan> plan = MessagePlan.of(seen.plan(), Those.DEAD);
      if (plan.isPresent()) {
        letters.prepare(connection, seen, plan.get());
      }
    }

    @Override
    public Step step(Connection connection, Claimed claimed) throws SQLException {
      lanes.clear();
      if (ErasureQuery.isIn(claimed.plan())) {
        ErasureQuery query = ErasureQuery.of(claimed.plan());
        return places.step(connection, claimed, erasures.places(query, lanes::add));
      }
      MessagePlan plan = MessagePlan.of(claimed.plan());
      return plan.selection().those() == Those.DEAD
          ? letters.step(connection, claimed, plan, lanes::add)
          : places.step(
              connection,
              claimed,
              messages.waiting(plan.selection(), partitions, lanes::add),
              MOST_AT_ONCE);
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
