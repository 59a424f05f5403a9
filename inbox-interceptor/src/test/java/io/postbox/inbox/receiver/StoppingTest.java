package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.postbox.common.platform.Endpoints;
import io.postbox.inbox.gate.ApplicationGate;
import io.postbox.inbox.gate.DatabaseMonitor;
import io.postbox.inbox.gate.HoldingThrottle;
import io.postbox.inbox.message.TestDelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deliveries between the beginning of a stop and its end, on threads. */
class StoppingTest {
  private static final Duration FOR_EVER = Duration.ofMinutes(2);

  private final ApplicationGate gate =
      new ApplicationGate(
          FOR_EVER,
          new DatabaseMonitor(FOR_EVER, () -> {}, Endpoints.NONE, Runnable::run),
          new HoldingThrottle());
  private final List<Throwable> thrown = new ArrayList<>();
  private final Thread stop = new Thread(gate::stop);

  @BeforeEach
  void theStopWaitsForAHandler() {
    gate.enter("shipping");
    stop.start();
    awaitWaiting(stop);
  }

  @Test
  void aRefusalIsHeldBackUntilTheStopIsOver() throws InterruptedException {
    Thread late = new Thread(() -> thrown.add(refusal()));
    late.start();
    awaitWaiting(late);
    assertThat(gate.isClosed()).isFalse();

    gate.leave();

    late.join(FOR_EVER.toMillis() / 2); // rather than for as long as the others are granted
    assertThat(thrown).singleElement().asString().contains("the application stops");
    stop.join();
  }

  @Test
  void aMessageHandedOnIsPartOfIt() throws Exception {
    HandlerRun running = new HandlerRun(TestDelivery.of("id-1").delivery(), 1);

    RunningHandlers.during(
        running,
        () -> {
          gate.enter("audit");
          gate.leave();
          return gate;
        });

    assertThat(gate.isClosed()).isFalse();
    gate.leave();
    stop.join();
    assertThat(gate.isClosed()).isTrue();
  }

  private Throwable refusal() {
    return catchThrowable(() -> gate.enter("shipping"));
  }

  private static void awaitWaiting(Thread thread) {
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
  }
}
