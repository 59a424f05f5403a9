package io.postbox.crash.load;

import io.postbox.crash.load.Operator.OverException;
import io.postbox.crash.load.OperatorScenes.Scene;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has an operator act, one scene after the other, through any of the servers. A scene that a fault
 * interrupts is given up.
 */
public final class OperatorClient implements AutoCloseable {
  private static final Duration AFTER_A_FAULT = Duration.ofMillis(300);

  private final Operator operator;
  private final List<Console> consoles;
  private final OperatorScenes scenes;
  private final Random random;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Future<?> running;

  /** Begins at once. */
  public OperatorClient(Operator operator, List<Console> consoles, long seed) {
    this.operator = operator;
    this.consoles = List.copyOf(consoles);
    scenes = new OperatorScenes(operator, seed, isOver::get);
    random = new Random(seed);
    running = thread.submit(this::act);
  }

  private void act() {
    List<Scene> turn = new ArrayList<>();
    while (!isOver.get()) {
      if (turn.isEmpty()) {
        turn.addAll(scenes.all());
        Collections.shuffle(turn, random);
      }
      try {
        turn.remove(0).play(consoles.get(random.nextInt(consoles.size())));
      } catch (OverException over) {
        return;
      } catch (IOException unanswered) { // the server may have died
        operator.giveUp(unanswered);
        pause(AFTER_A_FAULT);
      }
    }
  }

  private static void pause(Duration length) {
    try {
      TimeUnit.MILLISECONDS.sleep(length.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops, and waits for the last answer. */
  @Override
  public void close() {
    isOver.set(true);
    thread.shutdown();
    try {
      running.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("An operator did not understand an answer", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      throw new IllegalStateException("An operator has waited a minute for an answer", e);
    }
  }
}
