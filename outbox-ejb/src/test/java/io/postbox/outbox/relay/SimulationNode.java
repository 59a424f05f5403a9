package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SimulationScheduler.Life;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** One start of one node: a relay with its timer and its threads. */
final class SimulationNode {
  /** A pass has a limit for its sends, and a stalled thread goes on some time. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(300);

  final String name;
  private final Simulation simulation;
  private final Life life = new Life();
  private final Life timerLife = new Life();
  private final SimulationClaims claims;
  private final Relay relay;
  private Duration clockAhead = Duration.ZERO;
  private double drawn;

  SimulationNode(Simulation simulation, String name) {
    this.simulation = simulation;
    this.name = name;
    InstantSource clock = this::instant;
    claims = new SimulationClaims(simulation, name, life, clock);
    relay =
        new Relay(
            simulation.plan.config(),
            simulation::recovery,
            claims,
            simulation.broker.sendsOf(name, life),
            new CircuitBreakers(clock),
            new Listener(),
            new Threads(),
            this::draw,
            clock);
    simulation.history.note(name + " starts");
    if (!simulation.tables.has(SimulationBug.NO_WAKE_UP_AND_NO_LOOK)) {
      simulation.scheduler.spawn(name + " timer", timerLife, this::runTimer);
    }
  }

  private Instant instant() {
    simulation.scheduler.checkAlive(); // also where the relay survives everything else
    return simulation.scheduler.now().plus(clockAhead);
  }

  /** The same within a while, so that it does not matter in which order messages are counted. */
  private double draw() {
    return drawn;
  }

  private void runTimer() {
    while (true) {
      drawn = simulation.scheduler.random.nextDouble();
      boolean polls = simulation.tables.has(SimulationBug.POLLS_FOR_WHATEVER_IS_DUE);
      simulation.scheduler.sleep(polls ? AdaptivePolling.tick(relay.poll()) : relay.tick());
    }
  }

  boolean isAlive() {
    return !life.isOver();
  }

  /** As after a commit of a transaction on this node. */
  void wake(Collection<Lane> lanes, Optional<Duration> firstDelay) {
    if (simulation.tables.has(SimulationBug.NO_WAKE_UP_AND_NO_LOOK)) {
      return;
    }
    try {
      firstDelay.ifPresent(relay::wakeAfter);
      relay.wake(lanes);
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      simulation.history.count("wake-ups refused");
    }
  }

  /** The machine was asleep. */
  void skip(Duration time) {
    clockAhead = clockAhead.plus(time);
  }

  void loseOneConnection() {
    claims.loseOne();
  }

  /** Everything of it is gone at once. */
  void crash() {
    simulation.history.note(name + " crashes");
    simulation.history.count("crashes");
    simulation.scheduler.end(timerLife);
    simulation.scheduler.end(life);
    claims.loseConnections();
  }

  /** Work in hand is finished, and no thread stays behind. */
  void stop() {
    simulation.history.note(name + " stops");
    simulation.history.count("stops");
    simulation.scheduler.end(timerLife);
    Thread.currentThread().interrupt(); // tell it, and let it wait no real time
    relay.stop();
    Thread.interrupted();
    if (!simulation.scheduler.await(
        () -> simulation.scheduler.living(life) == 0, LONGEST_STOP, Duration.ofMillis(50))) {
      simulation.history.fail("workers of " + name + " go on after its stop");
    }
    simulation.scheduler.end(life);
  }

  private final class Threads extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      simulation.scheduler.checkAlive();
      if (simulation.scheduler.chance(simulation.weather.tasksRefused)) {
        if (simulation.scheduler.chance(0.5)) {
          simulation.history.count("threads refused");
          throw new OutOfMemoryError("unable to create native thread");
        }
        throw new RejectedExecutionException("no thread");
      }
      simulation.scheduler.spawn(name + " worker", life, () -> run(task));
    }

    /** A worker ends so after a pass of it has failed, and its thread is not used again. */
    private void run(Runnable task) {
      task.run();
      if (task instanceof Future<?> future) {
        try {
          future.get();
        } catch (ExecutionException failed) {
          if (failed.getCause() instanceof Error error) {
            throw error;
          }
          if (!(failed.getCause() instanceof Relay.PassFailed)) {
            throw new AssertionError("a worker broke down", failed.getCause());
          }
          simulation.history.count("threads replaced");
        } catch (InterruptedException unexpected) {
          throw new AssertionError(unexpected);
        }
      }
    }

    @Override
    public void shutdown() {
      throw new UnsupportedOperationException("it is the server's");
    }

    @Override
    public List<Runnable> shutdownNow() {
      throw new UnsupportedOperationException("it is the server's");
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }

  private final class Listener implements RelayListener {
    @Override
    public void sent(StoredMessage message) {
      simulation.history.count("told: sent");
    }

    @Override
    public void attemptFailed(StoredMessage message, int attempt, String reason) {
      simulation.history.count("told: attempt failed");
    }

    @Override
    public void died(StoredMessage message, int attempts, String reason) {
      simulation.history.count("told: died");
    }

    @Override
    public void polled() {
      simulation.history.count("looks");
    }
  }
}
