package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.server.Workers.Strength;
import io.postbox.inbox.store.TestDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers outlive whatever their handlers throw or leave behind. */
class CaptureWorkersTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "backoff.first",
          "20ms",
          "backoff.max",
          "50ms",
          "capture.workers",
          "2",
          "max-attempts",
          "4");
  private static final Strength ALL = new Strength(2, 2);

  private final List<String> handled = Collections.synchronizedList(new ArrayList<>());
  private CaptureWorkers workers;

  @AfterEach
  void stop() {
    if (workers != null) {
      workers.queues.stop();
      workers.stop();
    }
  }

  private void start(CapturedFixture fixture) throws ReflectiveOperationException {
    workers = fixture.workers();
    workers.startUp(null);
    await().until(() -> ALL.equals(workers.queues.numbers().get("shipping")));
  }

  @ParameterizedTest
  @EnumSource
  void anErrorOfAHandlerEndsNoWorkerAndParksItsMessage(TestDatabase database) throws Exception {
    CapturedFixture fixture = new CapturedFixture(database, SETTINGS);
    fixture.handler =
        message -> {
          if (message.id().equals("poison")) {
            throw new StackOverflowError("deep JSON");
          }
          handled.add(message.id());
        };
    start(fixture);

    fixture.capture(TestDelivery.of("poison"), null);
    await()
        .until(
            () ->
                fixture
                    .column("SELECT reason FROM inbox_stored WHERE message_id = 'poison'")
                    .equals(List.of("TOO_MANY_FAILURES")));
    fixture.capture(TestDelivery.of("good"), null);

    await().until(() -> handled.contains("good"));
    assertThat(workers.queues.numbers()).containsOnly(Map.entry("shipping", ALL));
    assertThat(workers.queues.finding()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptThatAHandlerLeavesBehindEndsNoWorker(TestDatabase database) throws Exception {
    CapturedFixture fixture = new CapturedFixture(database, SETTINGS);
    fixture.handler =
        message -> {
          handled.add(message.id());
          Thread.currentThread().interrupt(); // as after a caught InterruptedException
        };
    start(fixture);

    for (int i = 0; i < 5; i++) {
      String id = "hasty" + i;
      fixture.capture(TestDelivery.of(id), null);
      await().until(() -> handled.contains(id));
    }

    await().until(() -> fixture.column("SELECT message_id FROM inbox_stored").isEmpty());
    assertThat(workers.queues.numbers()).containsOnly(Map.entry("shipping", ALL));
  }
}
