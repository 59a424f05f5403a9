package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.unordered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import java.lang.Thread.State;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimeLimitedTransportTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Lane LANE = new Lane(0, "d");
  private static final List<StoredMessage> BATCH = unordered(2, "d");

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final CountDownLatch brokerAnswers = new CountDownLatch(1);
  private final AtomicInteger committed = new AtomicInteger();
  private final AtomicInteger rolledBack = new AtomicInteger();

  @AfterEach
  void end() {
    brokerAnswers.countDown();
    executor.shutdownNow();
  }

  /** As a client that does not react to interrupts. */
  private void hang() {
    boolean answered = false;
    while (!answered) {
      try {
        brokerAnswers.await();
        answered = true;
      } catch (InterruptedException ignored) {
        Thread.interrupted();
      }
    }
  }

  private void hangsBeforeCommit(Lane lane, List<StoredMessage> messages, BooleanSupplier wanted)
      throws SendFailure {
    hang();
    (wanted.getAsBoolean() ? committed : rolledBack).incrementAndGet();
  }

  private void hangsInCommit(Lane lane, List<StoredMessage> messages, BooleanSupplier wanted) {
    if (wanted.getAsBoolean()) {
      hang();
      committed.incrementAndGet();
    }
  }

  private TimeLimitedTransport limited(Transport transport, Duration limit, int hangingAtMost) {
    return new TimeLimitedTransport(
        transport, executor, limit, hangingAtMost, InstantSource.system());
  }

  private SendFailure failure(TimeLimitedTransport transport) {
    return catchThrowableOfType(SendFailure.class, () -> transport.begin(LANE).send(BATCH));
  }

  @Test
  void aSendThatEndsInTimeSucceeds() throws SendFailure {
    FakeBroker broker = new FakeBroker();
    limited(broker, LONG, 1).begin(LANE).send(BATCH);
    assertThat(broker.received()).isEqualTo(BATCH);
  }

  @Test
  void aFailureComesOutAsItIs() {
    FakeBroker broker = new FakeBroker();
    broker.rejects.add(2L);
    SendFailure failure = failure(limited(broker, LONG, 1));
    assertThat(failure.fault()).isEqualTo(SendFailure.Fault.MESSAGE);
    assertThat(failure.blames(BATCH.get(1))).isTrue();
  }

  @Test
  void anyOtherExceptionSaysNothingOfItsOwn() {
    SendFailure failure =
        failure(
            limited(
                (lane, messages, wanted) -> {
                  throw new IllegalStateException("odd");
                },
                LONG,
                1));
    assertThat(failure.fault()).isEqualTo(SendFailure.Fault.UNKNOWN);
    assertThat(failure.reason()).contains("odd");
  }

  /** In a rollback, say: it says nothing of the message, and much of the connection. */
  @Test
  void aThreadOnWhichMoreFailedThanTheMessageIsReplaced() {
    Set<Thread> ran = ConcurrentHashMap.newKeySet();
    List<SendFailure> failures = new CopyOnWriteArrayList<>();
    List<Thread> started = new CopyOnWriteArrayList<>();
    RelayThreads threads =
        RelayThreads.of(
            task -> {
              Thread thread = new Thread(task);
              started.add(thread);
              return thread;
            });
    TimeLimitedTransport transport =
        new TimeLimitedTransport(
            (lane, messages, wanted) -> {
              ran.add(Thread.currentThread());
              SendFailure failure = SendFailure.ofMessage(BATCH.get(0), "too large", null);
              if (failures.isEmpty()) {
                failure.addSuppressed(new IllegalStateException("cannot roll back"));
              }
              failures.add(failure);
              throw failure;
            },
            threads.lasting(),
            LONG,
            1,
            InstantSource.system());
    for (int i = 0; i < 3; i++) {
      SendFailure failure = failure(transport);
      assertThat(failure).isSameAs(failures.get(i));
      await().until(() -> started.stream().allMatch(TimeLimitedTransportTest::isIdleOrEnded));
    }
    threads.shutdown();

    assertThat(ran).hasSize(2);
  }

  private static boolean isIdleOrEnded(Thread thread) {
    return Set.of(State.TIMED_WAITING, State.TERMINATED).contains(thread.getState());
  }

  @Test
  void anErrorComesOutAsItIs() {
    TimeLimitedTransport transport =
        limited(
            (lane, messages, wanted) -> {
              throw new NoClassDefFoundError("jms");
            },
            LONG,
            1);
    assertThatThrownBy(() -> transport.begin(LANE).send(BATCH))
        .isInstanceOf(NoClassDefFoundError.class);
  }

  @Test
  void aHangingBrokerIsAbandonedAndNothingIsCommittedAfterwards() {
    SendFailure failure = failure(limited(this::hangsBeforeCommit, SHORT, 1));

    assertThat(failure.fault()).isEqualTo(SendFailure.Fault.DESTINATION);
    assertThat(failure.reason())
        .startsWith("the broker did not answer within ")
        .endsWith(" ms; the batch was given up before its commit");

    brokerAnswers.countDown();
    await().until(() -> rolledBack.get() == 1);
    assertThat(committed).hasValue(0);
  }

  @Test
  void aBrokerThatHangsInItsCommitMayHaveTheBatchTwice() {
    SendFailure failure = failure(limited(this::hangsInCommit, SHORT, 1));

    assertThat(failure.fault()).isEqualTo(SendFailure.Fault.DESTINATION);
    assertThat(failure.reason()).endsWith("the batch may be sent twice");
  }

  @Test
  void hangingThreadsAreBounded() throws SendFailure {
    AtomicInteger calls = new AtomicInteger();
    TimeLimitedTransport transport =
        limited(
            (lane, messages, wanted) -> {
              calls.incrementAndGet();
              hangsInCommit(lane, messages, wanted);
            },
            SHORT,
            2);
    failure(transport);
    failure(transport);
    SendFailure refused = failure(transport);

    assertThat(calls).as("the third is not even tried").hasValue(2);
    assertThat(refused.fault()).isEqualTo(SendFailure.Fault.DESTINATION);
    assertThat(refused.reason())
        .isEqualTo("2 earlier sends still hang, so nothing more is sent until one ends");

    brokerAnswers.countDown();
    await().ignoreExceptions().untilAsserted(() -> transport.begin(LANE).send(BATCH));
    assertThat(calls.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aSendThatNeverGotAThreadDoesNotCountAsHangingForEver() throws Exception {
    ExecutorService busy = Executors.newFixedThreadPool(1);
    try {
      CountDownLatch free = new CountDownLatch(1);
      busy.execute(
          () -> {
            try {
              free.await();
            } catch (InterruptedException ended) {
              Thread.currentThread().interrupt();
            }
          });
      FakeBroker broker = new FakeBroker();
      TimeLimitedTransport transport =
          new TimeLimitedTransport(broker, busy, SHORT, 1, InstantSource.system());
      SendFailure failure = failure(transport);
      assertThat(failure.fault()).isEqualTo(SendFailure.Fault.DESTINATION);
      assertThat(failure.reason()).endsWith("; no thread had been free to send the batch");

      free.countDown();
      await().ignoreExceptions().untilAsserted(() -> transport.begin(LANE).send(BATCH));
      assertThat(broker.received()).startsWith(BATCH.get(0), BATCH.get(1));
    } finally {
      busy.shutdownNow();
    }
  }

  @Test
  void afterASendThatTookTooLongTheTurnIsOver() throws SendFailure {
    TimeLimitedTransport.Session slow = limited(this::hangsBeforeCommit, SHORT, 1).begin(LANE);
    assertThat(slow.hasTime()).isTrue();
    assertThat(catchThrowableOfType(SendFailure.class, () -> slow.send(BATCH))).isNotNull();
    assertThat(slow.hasTime()).as("all sends of a turn keep to one limit").isFalse();

    TimeLimitedTransport.Session quick = limited(new FakeBroker(), LONG, 1).begin(LANE);
    quick.send(BATCH);
    assertThat(quick.hasTime()).isTrue();
  }

  @Test
  void afterTheStopNobodyIsBlamed() {
    executor.shutdown();
    FakeBroker broker = new FakeBroker();
    SendFailure failure = failure(limited(broker, LONG, 1));

    assertThat(failure.fault()).isEqualTo(SendFailure.Fault.CLAIM_LOST);
    assertThat(broker.calls()).isZero();
  }

  @Test
  void anInterruptedWorkerAbandonsTheBatchAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    SendFailure failure = failure(limited(this::hangsBeforeCommit, LONG, 1));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.fault()).isEqualTo(SendFailure.Fault.DESTINATION);
    assertThat(failure.reason()).startsWith("the broker was interrupted; ");
  }
}
