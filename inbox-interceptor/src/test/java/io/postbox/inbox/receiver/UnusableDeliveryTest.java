package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.TestDelivery;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Deliveries whose transaction, message or row is of no use. */
class UnusableDeliveryTest {
  private final FakeIdempotencyStore store = new FakeIdempotencyStore();
  private final FakeTransaction transaction = new FakeTransaction();
  private final List<MessageEvent> events = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();

  @Test
  void withoutATransactionNothingIsHandled() {
    assertThatThrownBy(() -> take(() -> TestDelivery.of("id-1").delivery()))
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith(
            "A message for the consumer 'shipping' was not handled, because no transaction is"
                + " active")
        .hasMessageContaining("@TransactionAttribute(REQUIRED)");
    assertThat(store.statements).isZero();
  }

  @Test
  void aTransactionThatCanOnlyRollBackIsNoneToHandleIn() {
    transaction.begin();
    transaction.setRollbackOnly();

    assertThatThrownBy(() -> take(() -> TestDelivery.of("id-1").delivery()))
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith(
            "A message for the consumer 'shipping' was not handled, because its transaction can"
                + " only roll back")
        .hasMessageContaining("timed out")
        .hasMessageContaining("is redelivered");
    assertThat(store.statements).isZero();
  }

  @Test
  void aMessageThatCannotBeReadIsRolledBackAndCountsAgainstNobody() {
    transaction.begin();
    IOException unreadable = new IOException("torn");

    assertThatThrownBy(
            () ->
                take(
                    () -> {
                      throw unreadable;
                    }))
        .isSameAs(unreadable);

    assertThat(transaction.commit()).isFalse();
    assertThat(failures).isEmpty();
    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            MessageFailed.class,
            failed -> {
              assertThat(failed.messageId()).isEmpty();
              assertThat(failed.counted()).isFalse();
              assertThat(failed.reason()).contains("torn");
            });
  }

  @Test
  void aRowThatIsGoneAgainIsRolledBack() {
    transaction.begin();
    store.remembered = new Forgetful();

    assertThatThrownBy(() -> take(() -> TestDelivery.of("id-1").delivery()))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("its row existed and was deleted meanwhile");
    assertThat(transaction.isRollbackOnly()).isTrue();
  }

  @Test
  void aRollbackThatNobodyThrewForIsTheHandlersFailure() throws Exception {
    transaction.begin();
    take(() -> TestDelivery.of("id-1").delivery());
    transaction.setRollbackOnly();
    transaction.commit();

    assertThat(failures)
        .singleElement()
        .satisfies(failure -> assertThat(failure.reason()).contains("rolled back at commit"));
    assertThat(events).hasSize(1).hasOnlyElementsOfType(MessageFailed.class);
  }

  private @Nullable Object take(Callable<Delivery> reader) throws Exception {
    Open open = new Open();
    IdempotentReceiver receiver =
        new IdempotentReceiver(
            new ReceiverParts(
                TestConfig.shop(Map.of()),
                TestConfig.shop(Map.of())::of,
                store,
                open,
                open,
                open,
                new AttemptLog() {
                  @Override
                  public boolean mayBeRedelivery(String messageId) {
                    return false;
                  }

                  @Override
                  public RecordedAttempt begin(
                      String consumer, String messageId, boolean isRedelivery) {
                    return RecordedAttempt.unrecorded(consumer, messageId);
                  }

                  @Override
                  public void ends(RecordedAttempt recorded, boolean handlerEnded) {}
                },
                new FailureLog() {
                  @Override
                  public void begins(String consumer, String messageId) {}

                  @Override
                  public void ends(String consumer, String messageId) {}

                  @Override
                  public void record(Failure failure) {
                    failures.add(failure);
                  }

                  @Override
                  public void await(String consumer, String messageId) {}
                },
                new FailureLines(System::nanoTime),
                new Limits(TestConfig.shop(Map.of()), InstantSource.system()),
                new KeptLines(System::nanoTime),
                events::add,
                new CountedWakeUps(),
                false,
                () -> 0.5));
    return receiver.receive(
        new Invocation("shipping", transaction, reader, NoRoute.INSTANCE, run -> "done"));
  }

  private static final class Open implements DeliveryGate, DatabaseAvailability, RetryThrottle {
    @Override
    public void enter(String consumer) {}

    @Override
    public void leave() {}

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public boolean isSuspected() {
      return false;
    }

    @Override
    public long outages() {
      return 0;
    }

    @Override
    public void verify(Throwable cause) {}

    @Override
    public void answered() {}

    @Override
    public void failed(Throwable cause) {}

    @Override
    public void pause() {
      throw new AssertionError("nobody who brings messages without JMS is held up");
    }

    @Override
    public void defer(String consumer, DelayedRetry retry) {}

    @Override
    public Optional<DelayedRetry> hold(Delivery delivery) {
      throw new AssertionError("nobody who brings messages without JMS is held up");
    }
  }

  /** Finds an id when it inserts, and not when it reads. */
  private static final class Forgetful extends HashMap<String, Fingerprint> {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Fingerprint putIfAbsent(String key, Fingerprint value) {
      return value;
    }
  }
}
