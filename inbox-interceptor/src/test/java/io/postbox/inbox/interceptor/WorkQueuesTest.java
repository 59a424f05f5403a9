package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.Workers;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.work.WorkQueue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkQueuesTest {
  private final WorkQueue queue = new WorkQueue(limit -> List.of(), 2);
  private final DaemonThreads threads = new DaemonThreads("workers");
  private final WorkQueues queues =
      new WorkQueues() {
        @Override
        void startRounds() {} // the test makes them
      };

  WorkQueuesTest() {
    queues.deployment = new InboxDeployment();
    queues.addReleased("shipping", new Workers(queue, 2, id -> {}, threads));
  }

  @AfterEach
  void stop() {
    queue.stop();
    threads.awaitEnd(Duration.ofSeconds(2));
  }

  @Test
  void noneIsMissingBeforeTheApplicationHasStarted() {
    assertThat(queues.finding()).as("the guarantee check is made at CDI's Startup").isEmpty();
    queues.round(false);
    assertThat(queues.finding()).isEmpty();

    queues.round(true);
    assertThat(queues.numbers().get("shipping")).isEqualTo(new Workers.Strength(2, 2));
    assertThat(queues.finding()).isEmpty();
  }

  @Test
  void thoseThatDoNotRunThenAreMissing() {
    queues.round(true);
    queues.addCaptured("billing", new Workers(queue, 1, id -> {}, threads));

    assertThat(queues.finding().orElseThrow().text()).contains(": billing 0 of 1.");
  }

  @Test
  void aStartThatTakesMinutesIsLoggedOnce() {
    try (LogLines lines = new LogLines()) {
      for (int i = 1; i < WorkQueues.SLOW_START; i++) {
        queues.round(false);
      }
      assertThat(lines.all()).isEmpty();
      for (int i = 0; i < WorkQueues.SLOW_START; i++) {
        queues.round(false);
      }
      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0244 ")
          .contains("3m", "shipping");
    }
  }
}
