package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.Contents.Content;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitedOpeningTest {
  private static final Duration LIMIT = Duration.ofMillis(50);
  private static final StoredMessage REFERENCE =
      message(1, "d", null)
          .carrying("message/external-body", new Body.Reference("t", "1", new byte[32]));

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();

  private LimitedOpening opening(Contents contents, int workers) {
    return new LimitedOpening(contents, executor, LIMIT, workers);
  }

  private Content hang(StoredMessage message) {
    calls.incrementAndGet();
    try {
      answer.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return new Content("text/plain", new Body.Text("late"));
  }

  @AfterEach
  void end() {
    answer.countDown();
    executor.shutdownNow();
  }

  @Test
  void whereNothingIsToBeOpenedThereIsNoThread() {
    executor.shutdown();
    Opened opened = opening(this::hang, 1).open(List.of(message(1, "d", null)));
    assertThat(opened.ready()).hasSize(1);
  }

  @Test
  void aLoaderThatHangsIsGivenUp() {
    Opened opened = opening(this::hang, 1).open(List.of(REFERENCE));
    assertThat(opened.ready()).isEmpty();
    assertThat(opened.fault().orElseThrow()).contains("within 50 ms");
  }

  @Test
  void onlySoManyHangAtOnce() {
    LimitedOpening opening = opening(this::hang, 1);
    for (int i = 0; i < 5; i++) {
      assertThat(opening.open(List.of(REFERENCE)).fault()).isPresent();
    }
    assertThat(calls).hasValue(2);
    assertThat(opening.open(List.of(REFERENCE)).fault().orElseThrow()).contains("still hang");

    answer.countDown();
    Awaitility.await()
        .untilAsserted(() -> assertThat(opening.open(List.of(REFERENCE)).altered()).isNotEmpty());
  }

  @Test
  void afterTheRelayHasStoppedNothingIsTried() {
    executor.shutdown();
    Opened opened = opening(this::hang, 1).open(List.of(REFERENCE));
    assertThat(opened.isClean()).isTrue();
    assertThat(opened.ready()).isEmpty();
  }

  @Test
  void anErrorComesThrough() {
    LimitedOpening opening =
        opening(
            message -> {
              throw new NoClassDefFoundError("Invoice");
            },
            1);
    assertThatThrownBy(() -> opening.open(List.of(REFERENCE)))
        .isInstanceOf(NoClassDefFoundError.class);
  }
}
