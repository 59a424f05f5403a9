package io.postbox.inbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.log.LogLines;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final Duration FOR_EVER = Duration.ofMinutes(1);

  private final AtomicInteger recorded = new AtomicInteger();

  @Test
  void anErrorEndsARoundAndNotTheRoundsAndIsLoggedOnceInARow() {
    try (LogLines lines = new LogLines()) {
      PeriodicTask rounds =
          PeriodicTask.start(
              "round and round",
              SHORT,
              () -> {
                int round = recorded.incrementAndGet();
                if (round <= 3 || round == 5) {
                  throw new OutOfMemoryError("round " + round);
                }
              });
      await().until(() -> recorded.get() > 5);
      rounds.stop(FOR_EVER);

      assertThat(lines.all())
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).startsWith("IBX0130 ").contains("'round and round'"))
          .satisfiesExactly(
              first -> assertThat(first).contains("round 1"),
              second -> assertThat(second).contains("round 5"));
    }
  }

  @Test
  void anInterruptThatARoundLeavesBehindEndsARoundAndNotTheRounds() {
    PeriodicTask rounds =
        PeriodicTask.start(
            "round and round",
            SHORT,
            () -> {
              recorded.incrementAndGet();
              Thread.currentThread().interrupt(); // as a cipher may, after a caught one
            });
    await().until(() -> recorded.get() > 2);
    rounds.stop(FOR_EVER);
  }

  @Test
  void noneBeginsAfterTheStop() {
    PeriodicTask rounds = PeriodicTask.start("round and round", SHORT, recorded::incrementAndGet);
    await().until(() -> recorded.get() > 0);

    rounds.stop(FOR_EVER);

    int atStop = recorded.get();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("round and round");
    assertThat(recorded.get()).isEqualTo(atStop);
  }
}
