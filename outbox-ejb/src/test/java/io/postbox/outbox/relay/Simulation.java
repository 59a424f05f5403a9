package io.postbox.outbox.relay;

import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.relay.SimulationBroker.State;
import io.postbox.outbox.relay.SimulationScheduler.Life;
import io.postbox.outbox.relay.SimulationTables.Row;
import io.postbox.outbox.relay.SimulationTables.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One run: nodes with the relay's own classes over tables and a broker in memory, while business
 * goes on and things break; then all heals, and nothing may be left over.
 */
final class Simulation {
  private static final Duration UNTIL_QUIET = Duration.ofMinutes(5);

  /** When all is well, a delayed message goes to work within this time. */
  private static final Duration LATEST = Duration.ofSeconds(3);

  final SimulationScheduler scheduler;
  final SimulationPlan plan;
  final SimulationHistory history;
  final SimulationTables tables;
  final SimulationBroker broker;
  final SimulationFaults weather = new SimulationFaults();
  final Life brokerLife = new Life();
  private final Life clientLife = new Life();
  private final SimulationBusiness business;
  private final SimulationOperator operator;
  private final List<SimulationNode> nodes = new ArrayList<>();
  private final long steps;

  /** What an operator wants of dead letters, instead of what is configured. */
  private final Map<String, OnDeadLetter> policies = new HashMap<>();

  /** Until which step messages went past dead letters, where they do not any more. */
  private final Map<String, Long> continuedUntil = new HashMap<>();

  private Duration databaseAhead = Duration.ZERO;
  private int started;

  private Simulation(long seed, long steps, Set<SimulationBug> bugs) {
    this.steps = steps;
    scheduler = new SimulationScheduler(seed);
    plan = SimulationPlan.draw(scheduler);
    history = new SimulationHistory(scheduler);
    tables =
        new SimulationTables(
            plan.config().partitions(),
            plan.slice(),
            () -> scheduler.now().plus(databaseAhead),
            bugs,
            this::committing);
    tables.steps = scheduler::steps;
    broker = new SimulationBroker(this);
    business = new SimulationBusiness(this);
    operator = new SimulationOperator(this);
  }

  /** The measures of a run. */
  record Outcome(long steps, Duration time, Map<String, Integer> counts) {}

  /**
   * @param seed from which all follows
   * @param steps how long things go on until they heal
   */
  static Outcome run(long seed, long steps, Set<SimulationBug> bugs) {
    Simulation simulation = new Simulation(seed, steps, bugs);
    Instant start = simulation.scheduler.now();
    Life life = new Life();
    simulation.scheduler.spawn("director", life, simulation::direct);
    for (int i = 0; i < simulation.plan.clients(); i++) {
      simulation.scheduler.spawn("client " + i, simulation.clientLife, simulation.business::run);
    }
    try {
      simulation.scheduler.run();
    } catch (Throwable failed) {
      throw new AssertionError(
          "seed %s, steps %s, %s: %s".formatted(seed, steps, simulation.plan, failed.getMessage()),
          failed);
    }
    return new Outcome(
        simulation.scheduler.steps(),
        Duration.between(start, simulation.scheduler.now()),
        simulation.history.counts());
  }

  private void committing(SimulationTransaction transaction) {
    if (transaction.drains()) {
      history.count("released in part");
    }
    transaction.changes.forEach(
        (seq, after) -> {
          Row before = tables.rows.get(seq);
          if (before == null) {
            return;
          }
          if (after.isPresent()) {
            if (before.status() == Status.DEAD) {
              history.putToWork(before.envelope().id(), transaction.decided);
            }
            history.changed(before, after.get(), transaction, mayGoOn(before, transaction));
          } else if (transaction.discards(seq)) {
            history.discarded(before.envelope().id());
          } else {
            history.completed(before);
          }
        });
  }

  /** The policy of a destination, as the relay asks for it with each batch. */
  Recovery recovery(String destination) {
    Recovery configured = plan.config().recovery(destination);
    return new Recovery(configured.maxAttempts(), configured.backoff(), onDeadLetter(destination));
  }

  private OnDeadLetter onDeadLetter(String destination) {
    return policies.getOrDefault(destination, plan.config().onDeadLetter());
  }

  /** Whether messages may go past a message that dies in a transaction. */
  private boolean mayGoOn(Row row, SimulationTransaction transaction) {
    String destination = row.envelope().destination();
    return onDeadLetter(destination) == OnDeadLetter.CONTINUE
        || continuedUntil.getOrDefault(destination, -1L) >= transaction.begun;
  }

  private void changePolicy(String destination) {
    boolean continues = onDeadLetter(destination) == OnDeadLetter.CONTINUE;
    history.note("policy of " + destination + (continues ? ": hold" : ": continue"));
    history.count("policies changed");
    if (continues) {
      continuedUntil.put(destination, scheduler.steps());
    }
    policies.put(destination, continues ? OnDeadLetter.HOLD : OnDeadLetter.CONTINUE);
  }

  Optional<SimulationNode> anyNode() {
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(nodes.get(scheduler.random.nextInt(nodes.size())));
  }

  private void direct() {
    for (int i = 0; i < plan.nodes(); i++) {
      start();
    }
    while (scheduler.steps() < steps) {
      scheduler.sleep(scheduler.upTo(Duration.ofSeconds(4)));
      history.checker.heldKeysFit(tables);
      if (!plan.calm()) {
        disturb();
      }
    }
    heal();
    Instant healed = tables.clock.instant();
    scheduler.spawn("trickle", clientLife, business::trickle);
    scheduler.spawn("watch", clientLife, this::watchDelayed);
    if (!scheduler.await(
        () -> history.checker.stuck(tables, healed).isEmpty(),
        UNTIL_QUIET,
        Duration.ofSeconds(1))) {
      history.fail("messages are stuck", history.checker.stuck(tables, healed));
    }
    history.checker.heldKeysFit(tables);
    business.trickles = false;
    scheduler.await(() -> scheduler.living(clientLife) == 0, UNTIL_QUIET, Duration.ofSeconds(1));
    settle();
    List.copyOf(nodes).forEach(this::stop);
    scheduler.await(() -> scheduler.living(brokerLife) == 0, UNTIL_QUIET, Duration.ofSeconds(1));
    history.checker.complete(tables);
  }

  /** Some time after all has healed, and what was noted before a jump of the clock is over. */
  private void watchDelayed() {
    scheduler.sleep(Duration.ofSeconds(40));
    while (business.trickles) {
      tables
          .untilFirstDelayed(tables.clock.instant())
          .filter(wait -> wait.plus(LATEST).isNegative())
          .ifPresent(wait -> history.fail("a delayed message is overdue: " + wait, List.of()));
      scheduler.sleep(Duration.ofSeconds(1));
    }
  }

  private void start() {
    nodes.add(new SimulationNode(this, "node " + ++started));
  }

  private void stop(SimulationNode node) {
    nodes.remove(node);
    node.stop();
  }

  private void disturb() {
    String destination =
        plan.destinations().get(scheduler.random.nextInt(plan.destinations().size()));
    switch (scheduler.random.nextInt(16)) {
      case 0 -> crashOne();
      case 1 -> anyNode().ifPresent(this::stop);
      case 2, 3 -> broker.set(destination, State.values()[scheduler.random.nextInt(5)]);
      case 4 -> broker.heal();
      case 5 -> weather.storm(scheduler);
      case 6 -> weather.clear();
      case 7 -> breakDatabase();
      case 8 -> jump(Duration.ofSeconds(scheduler.random.nextInt(20) - 10));
      case 9 -> anyNode().ifPresent(it -> it.skip(scheduler.upTo(Duration.ofSeconds(30))));
      case 10 -> pause(scheduler.chance(0.3) ? "*" : destination);
      case 11 -> tables.paused.clear();
      case 12, 13 -> operator.decide(0.5);
      case 14 -> changePolicy(destination);
      default -> anyNode().ifPresent(SimulationNode::loseOneConnection);
    }
    while (nodes.size() < plan.nodes() && scheduler.chance(0.7)) {
      start();
    }
  }

  private void crashOne() {
    anyNode()
        .ifPresent(
            node -> {
              nodes.remove(node);
              node.crash();
            });
  }

  private void breakDatabase() {
    history.note("the database is down");
    weather.databaseDown = true;
    scheduler.sleep(scheduler.upTo(Duration.ofSeconds(20)));
    weather.databaseDown = false;
  }

  private void jump(Duration by) {
    history.note("the database's clock jumps by " + by);
    if (by.isNegative()) {
      history.clockSetBack();
    }
    databaseAhead = databaseAhead.plus(by);
  }

  private void pause(String destination) {
    history.note("pause " + destination);
    history.count("paused");
    tables.paused.add(destination);
  }

  /** All works again, but for messages that no broker takes. */
  private void heal() {
    business.open = false;
    scheduler.await(() -> scheduler.living(clientLife) == 0, UNTIL_QUIET, Duration.ofSeconds(1));
    weather.clear();
    broker.heal();
    tables.paused.clear();
    while (nodes.size() < plan.nodes()) {
      start();
    }
  }

  /** Even those messages are put right, and somebody decides about every dead letter. */
  private void settle() {
    broker.rejected.clear();
    broker.spoilt.clear();
    if (!scheduler.await(
        () -> {
          operator.decide(1);
          return tables.rows.isEmpty();
        },
        UNTIL_QUIET,
        Duration.ofSeconds(1))) {
      history.fail(
          "never empty",
          tables.rows.values().stream().map(it -> history.story(it.envelope().id())).toList());
    }
  }
}
