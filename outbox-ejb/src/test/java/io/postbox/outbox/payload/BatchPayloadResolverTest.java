package io.postbox.outbox.payload;

import static io.postbox.outbox.testing.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.log.RecordedError;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.StoredErrors;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchPayloadResolverTest {
  private static final Duration LIMIT = Duration.ofMillis(50);

  /** For payloads that do not hang, on a machine that has other things to do. */
  private static final Duration AMPLE = Duration.ofSeconds(2);

  private static final StoredMessage REFERENCE = reference(1);

  /** Another content than that of the hash. */
  private static final Body MISFIT = new Body.Text("x");

  private static final StoredMessage OTHER = reference(2);

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();

  private static StoredMessage reference(long seq) {
    return message(seq, "d", null)
        .carrying("message/external-body", new Body.Reference("t", "" + seq, new byte[32]));
  }

  private BatchPayloadResolver opening(PayloadResolver resolver, int workers) {
    return new BatchPayloadResolver(resolver, new ApplicationCalls(executor, workers), LIMIT);
  }

  private static Envelope content(StoredMessage message, Body body) {
    return message.carrying("text/plain", body).envelope();
  }

  private Envelope hang(StoredMessage message) {
    calls.incrementAndGet();
    try {
      answer.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return content(message, new Body.Text("late"));
  }

  @AfterEach
  void end() {
    answer.countDown();
    executor.shutdownNow();
  }

  @Test
  void whereNothingIsToBeOpenedThereIsNoThread() {
    executor.shutdown();
    ResolvedBatch opened = opening(this::hang, 1).resolve(List.of(message(1, "d", null)));
    assertThat(opened.ready()).hasSize(1);
  }

  @Test
  void aLoaderThatHangsIsAbandonedAndItsMessageASuspect() {
    ResolvedBatch opened = opening(this::hang, 1).resolve(List.of(REFERENCE, OTHER));
    assertThat(opened.ready()).isEmpty();
    assertThat(opened.fault()).isEmpty();
    assertThat(opened.isClean()).isFalse();
    assertThat(opened.suspects()).containsOnlyKeys(REFERENCE);
    assertThat(opened.suspects().get(REFERENCE).text()).contains("within 50 ms");
    assertThat(opened.suspects()).containsOnlyKeys(REFERENCE);
  }

  @Test
  void aHangingPayloadIsNotResolvedAgainAndTheNextIs() {
    BatchPayloadResolver opening =
        new BatchPayloadResolver(
            message -> message.seq() == 1 ? hang(message) : content(message, MISFIT),
            new ApplicationCalls(executor, 1),
            AMPLE);
    opening.resolve(List.of(REFERENCE));
    ResolvedBatch opened = opening.resolve(List.of(REFERENCE, OTHER));

    assertThat(calls).hasValue(1);
    assertThat(opened.suspects()).containsOnlyKeys(REFERENCE);
    assertThat(opened.suspects().get(REFERENCE).text()).contains("still hangs");
    assertThat(opened.altered()).as("opened").containsOnlyKeys(OTHER);
  }

  @Test
  void onlySoManyHangAtOnce() {
    BatchPayloadResolver opening = opening(this::hang, 1);
    for (int seq = 1; seq <= 5; seq++) {
      opening.resolve(List.of(reference(seq)));
    }
    assertThat(calls).hasValue(2);
    assertThat(opening.resolve(List.of(REFERENCE)).fault().orElseThrow()).contains("still hang");

    answer.countDown();
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(opening.resolve(List.of(REFERENCE)).altered()).isNotEmpty());
  }

  /** Else a loader that hangs for one destination would stop all. */
  @Test
  void payloadsThatHangForOneDestinationStopNoOther() {
    BatchPayloadResolver opening =
        new BatchPayloadResolver(
            message -> message.destination().equals("d") ? hang(message) : content(message, MISFIT),
            new ApplicationCalls(executor, 1),
            AMPLE);
    for (int seq = 1; seq <= 3; seq++) {
      opening.resolve(List.of(reference(seq)));
    }
    StoredMessage other =
        message(9, "e", null)
            .carrying("message/external-body", new Body.Reference("t", "9", new byte[32]));

    assertThat(opening.resolve(List.of(REFERENCE)).fault()).isPresent();
    ResolvedBatch opened = opening.resolve(List.of(other));
    assertThat(opened.fault()).isEmpty();
    assertThat(opened.altered()).as("opened").containsOnlyKeys(other);
  }

  /** A poll's batch has messages to many destinations, and one of them is in hand. */
  @Test
  void aPayloadThatHangsCountsAgainstItsOwnDestinationOnly() {
    BatchPayloadResolver opening =
        new BatchPayloadResolver(
            message -> message.destination().equals("d") ? hang(message) : content(message, MISFIT),
            new ApplicationCalls(executor, 1),
            AMPLE);
    StoredMessage other =
        message(9, "e", null)
            .carrying("message/external-body", new Body.Reference("t", "9", new byte[32]));
    for (int seq = 1; seq <= 2; seq++) {
      opening.resolve(List.of(reference(seq), other));
    }

    ResolvedBatch alone = opening.resolve(List.of(other));
    assertThat(alone.fault()).isEmpty();
    assertThat(alone.altered()).as("opened").containsOnlyKeys(other);
    ResolvedBatch beside = opening.resolve(List.of(reference(3), other));
    assertThat(beside.fault()).isEmpty();
    assertThat(beside.suspects()).isEmpty();
    assertThat(beside.altered()).as("opened").containsOnlyKeys(other);
  }

  /** Where loads hang, the errors that say so are recorded all the same. */
  @Test
  void errorsAreEncryptedWhereLoadsHang() {
    ApplicationCalls threads = new ApplicationCalls(executor, 1);
    BatchPayloadResolver opening = new BatchPayloadResolver(this::hang, threads, LIMIT);
    ErrorSealer errors =
        new ErrorSealer(new StoredErrors(Optional.of(new SampleCipher("key-1"))), threads, AMPLE);
    for (int seq = 1; seq <= 3; seq++) {
      opening.resolve(List.of(reference(seq)));
    }

    RecordedError error = RecordedError.of("a load hangs");
    assertThat(errors.seal("d", List.of(error)).get(error)).startsWith("sealed:");
  }

  @Test
  void whereNoThreadIsFreeNobodyIsSuspected() {
    ExecutorService busy = Executors.newSingleThreadExecutor();
    try {
      busy.execute(() -> hang(REFERENCE));
      ResolvedBatch opened =
          new BatchPayloadResolver(this::hang, new ApplicationCalls(busy, 1), LIMIT)
              .resolve(List.of(REFERENCE));
      assertThat(opened.suspects()).isEmpty();
      assertThat(opened.fault().orElseThrow()).contains("no thread was free");
    } finally {
      busy.shutdownNow();
    }
  }

  @Test
  void afterTheRelayHasStoppedNothingIsTried() {
    executor.shutdown();
    ResolvedBatch opened = opening(this::hang, 1).resolve(List.of(REFERENCE));
    assertThat(opened.isClean()).isTrue();
    assertThat(opened.ready()).isEmpty();
  }

  /** So that whoever runs the relay hears of it. */
  @Test
  void anInterruptedThreadWaitsNoLongerAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    ResolvedBatch opened = opening(this::hang, 1).resolve(List.of(REFERENCE));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(opened.fault().orElseThrow()).contains("was interrupted");
    assertThat(opened.suspects()).isEmpty();
  }

  @Test
  void anErrorComesThrough() {
    BatchPayloadResolver opening =
        opening(
            message -> {
              throw new NoClassDefFoundError("Invoice");
            },
            1);
    assertThatThrownBy(() -> opening.resolve(List.of(REFERENCE)))
        .isInstanceOf(NoClassDefFoundError.class);
  }
}
