package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs actors on threads of their own, exactly one of them at a time. At every step of an actor
 * chance decides who goes on, and how much time passes: from one seed comes always the same run.
 */
final class SimulationScheduler {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "simulation");
            thread.setDaemon(true);
            return thread;
          });

  final Random random;

  private final double switching;
  private final int slowness;
  private final List<Actor> actors = new ArrayList<>();
  private final List<Actor> ready = new ArrayList<>();
  private final Thread main = Thread.currentThread();
  private volatile boolean over;
  private volatile @Nullable Throwable failure;
  private long micros;
  private long steps;
  private @Nullable Actor current;

  /** Something that ends as a whole, with all of its actors. */
  static final class Life {
    private boolean ended;

    boolean isOver() {
      return ended;
    }
  }

  /** Unwinds an actor whose life is over. */
  static final class Ended extends Error {
    private static final long serialVersionUID = 1L;

    Ended() {
      super("the actor's life is over", null, false, false);
    }
  }

  private static final class Actor {
    final String name;
    final Life life;
    // Both volatile: the thread that hands on the turn and the next one must see one another.
    volatile boolean turn;
    volatile @Nullable Thread thread;
    long wakeAt;

    Actor(String name, Life life) {
      this.name = name;
      this.life = life;
    }
  }

  SimulationScheduler(long seed) {
    random = new Random(seed);
    switching = List.of(0.1, 0.3, 0.7).get(random.nextInt(3));
    slowness = List.of(100, 500, 4_000).get(random.nextInt(3));
  }

  Instant now() {
    return START.plusNanos(micros * 1_000);
  }

  long steps() {
    return steps;
  }

  String actor() {
    return current == null ? "-" : current.name;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  Duration upTo(Duration longest) {
    return Duration.ofNanos((long) (longest.toNanos() * random.nextDouble()));
  }

  /** Adds an actor, which begins when chance lets it. */
  void spawn(String name, Life life, Runnable body) {
    Actor actor = new Actor(name, life);
    actor.wakeAt = micros;
    actors.add(actor);
    THREADS.execute(
        () -> {
          actor.thread = Thread.currentThread();
          await(actor);
          try {
            checkAlive(actor);
            body.run();
          } catch (Ended ended) {
            // as it should
          } catch (Throwable broken) {
            fail(broken);
          }
          Thread.interrupted();
          actors.remove(actor);
          handOn();
        });
  }

  /** How many actors of a life there still are. */
  long living(Life life) {
    return actors.stream().filter(it -> it.life == life).count();
  }

  /** Lets the actors run until all have ended. */
  void run() throws Throwable {
    handOn();
    while (!over) {
      LockSupport.parkNanos(100_000_000);
    }
    Throwable found = failure;
    if (found != null) {
      throw found;
    }
  }

  /** Ends the run; the first failure counts. */
  void fail(Throwable because) {
    if (failure == null) {
      failure = because;
    }
    actors.forEach(it -> end(it.life));
  }

  /** Ends a life: its actors do nothing more. */
  void end(Life life) {
    life.ended = true;
    actors.stream()
        .filter(it -> it.life == life)
        .forEach(it -> it.wakeAt = Math.min(it.wakeAt, micros));
  }

  /** A place where others may go first. */
  void step() {
    Actor self = self();
    checkAlive(self);
    steps++;
    micros += random.nextInt(slowness);
    if (chance(switching)) {
      pass(self);
    }
  }

  /** Lets time pass. */
  void sleep(Duration time) {
    Actor self = self();
    checkAlive(self);
    steps++;
    self.wakeAt = micros + Math.max(1, time.toNanos() / 1_000);
    pass(self);
  }

  /** Waits for a condition, looking at it now and then. */
  boolean await(BooleanSupplier condition, Duration limit, Duration pause) {
    Instant end = now().plus(limit);
    while (!condition.getAsBoolean()) {
      if (now().isAfter(end)) {
        return false;
      }
      sleep(pause);
    }
    return true;
  }

  /** Fails if the life of whoever asks is over. */
  void checkAlive() {
    checkAlive(self());
  }

  private static void checkAlive(Actor actor) {
    if (actor.life.ended) {
      throw new Ended();
    }
  }

  private Actor self() {
    Actor self = current;
    if (self == null) {
      throw new IllegalStateException("not an actor");
    }
    return self;
  }

  private void pass(Actor self) {
    Actor next = choose();
    if (next != self) {
      current = next;
      wake(next);
      await(self);
    }
    checkAlive(self);
  }

  private void handOn() {
    if (actors.isEmpty()) {
      current = null;
      over = true;
      LockSupport.unpark(main);
    } else {
      Actor next = choose();
      current = next;
      wake(next);
    }
  }

  private Actor choose() {
    ready.clear();
    long first = Long.MAX_VALUE;
    for (Actor actor : actors) {
      first = Math.min(first, actor.wakeAt);
    }
    micros = Math.max(micros, first);
    for (Actor actor : actors) {
      if (actor.wakeAt <= micros) {
        ready.add(actor);
      }
    }
    return ready.get(random.nextInt(ready.size()));
  }

  private static void wake(Actor actor) {
    actor.turn = true;
    Thread thread = actor.thread;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private static void await(Actor self) {
    while (!self.turn) {
      LockSupport.park(self);
    }
    self.turn = false;
  }
}
