package io.postbox.inbox.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.outage.Endpoints;
import io.postbox.inbox.outage.Entrance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes between the beginning of a stop and its end, on threads. */
class StoppingTest {
  private static final Duration FOR_EVER = Duration.ofMinutes(2);

  private final Entrance entrance =
      new Entrance(FOR_EVER, FOR_EVER, () -> {}, Endpoints.NONE, Runnable::run);
  private final List<Throwable> thrown = new ArrayList<>();
  private final Thread stop = new Thread(entrance::stop);

  @BeforeEach
  void theStopWaitsForAHandler() {
    entrance.enter("shipping");
    stop.start();
    awaitWaiting(stop);
  }

  @Test
  void whatIsRefusedIsHeldBackUntilTheStopIsOver() throws InterruptedException {
    Thread late = new Thread(() -> thrown.add(refusal()));
    late.start();
    awaitWaiting(late);
    assertThat(entrance.isClosed()).isFalse();

    entrance.leave();

    late.join(FOR_EVER.toMillis() / 2); // rather than for as long as the others are granted
    assertThat(thrown).singleElement().asString().contains("the application stops");
    stop.join();
  }

  @Test
  void whatAHandlerHandsOnIsPartOfIt() throws Exception {
    Handling running = new Handling("shipping", "id-1", 1);

    RunningHandlers.during(
        running,
        () -> {
          entrance.enter("audit");
          entrance.leave();
          return entrance;
        });

    assertThat(entrance.isClosed()).isFalse();
    entrance.leave();
    stop.join();
    assertThat(entrance.isClosed()).isTrue();
  }

  private Throwable refusal() {
    return catchThrowable(() -> entrance.enter("shipping"));
  }

  private static void awaitWaiting(Thread thread) {
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
  }
}
