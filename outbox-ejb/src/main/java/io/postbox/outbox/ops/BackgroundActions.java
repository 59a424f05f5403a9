package io.postbox.outbox.ops;

import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.ops.ErasureControl;
import io.postbox.common.ops.ErasureSteps;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.ActionTable.Claimed;
import io.postbox.common.store.ErasureQuery;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.config.OutboxConfig;
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
   * @param key that the service's nodes share
   * @param encrypted whether the application has a cipher
   * @param wake is given the lanes that may have work
   * @param clock the node's, which is never set back; only for pauses
   */
  public BackgroundActions(
      OutboxTables tables,
      byte[] key,
      boolean encrypted,
      Consumer<Set<Lane>> wake,
      InstantSource clock) {
    config = tables.config();
    Plans plans = tables.plans();
    ErasureStore erasures = new ErasureStore(tables.dialect(), config.tables());
    OperatorStore messages = new OperatorStore(tables.dialect(), config.tables());
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
    LocalTransactions transactions = new LocalTransactions(tables.dataSource());
    runner = new ActionRunner(transactions, plans.table(), steps, clock, OutboxLog.SHARED);
    control =
        new ActionControl(
            new OperatorCalls(transactions, OutboxLog::failure), plans, runner, OutboxLog.SHARED);
    erasure =
        new ErasureControl(
            erasures.records(),
            query -> erasures.places(query, lane -> {}),
            ErasureControl.digests(key),
            config.confidentiality().dataSubjects(),
            control);
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
   */
  public OperatorAction redrive(UUID plan, RedrivePace pace, String principal, String reason) {
    RelayOnly.check(
        config,
        "The dead letters cannot be redriven",
        "They are from the time when nodes relayed: set postbox.outbox.relay.mode=polling to"
            + " redrive them, or discard them");
    return start(
        new Order(plan, "redrive", principal, reason),
        Those.DEAD,
        letters -> letters.redriven(pace.perSecond(), pace.first()));
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
    return control.start(
        order, json -> MessagePlan.of(json, those).map(plan -> how.apply(plan).toJson()));
  }

  /** The steps of all kinds of actions. */
  private record Steps(
      LetterSteps letters,
      ErasureSteps places,
      OperatorStore messages,
      ErasureStore erasures,
      int partitions,
      boolean isEncrypted,
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
    public void done(OperatorAction action) {
      switch (action.kind()) {
        case "redrive" ->
            OutboxLog.redriven(
                action.done(), action.subject(), action.principal(), action.reason());
        case "discard" ->
            OutboxLog.discarded(
                action.done(), action.subject(), action.principal(), action.reason());
        default ->
            OutboxLog.waitingDiscarded(
                action.done(), action.subject(), action.principal(), action.reason());
      }
    }
  }
}
