package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.TestDelivery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that go to several consumers, in the transaction of their delivery. */
class SeveralConsumersTest {
  private static final List<String> CONSUMERS = List.of("shipping", "billing", "mailing");

  private final Map<String, Integer> tries = new HashMap<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void aMessageThatNobodyCanHandleIsParkedForEachAndDoesNotMultiply(int maxAttempts) {
    FakeBroker broker = broker(maxAttempts);
    broker.handler =
        run -> {
          tries.merge(run.consumer(), 1, Integer::sum);
          throw new IllegalStateException("nobody can read this");
        };
    broker.send(TestDelivery.of("id-1"));

    broker.run(10_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .extracting(parked -> parked.delivery().consumer())
        .containsExactlyInAnyOrderElementsOf(CONSUMERS);
    assertThat(tries.values()).hasSize(3).containsOnly(maxAttempts);
    assertThat(broker.delays).as("copies").hasSizeLessThan(CONSUMERS.size() * maxAttempts);
    assertThat(broker.holds).as("held up, though nothing failed to be sent").isZero();
  }

  @Test
  void aKeptMessageIsReportedOnceHoweverOftenRedelivered() {
    FakeBroker broker = broker(5);
    broker.handler =
        run -> {
          if (run.consumer().equals("shipping")) {
            throw new RejectedMessageException("no such article");
          }
          throw new IllegalStateException("nobody can read this");
        };
    broker.send(TestDelivery.of("id-1"));

    broker.run(10_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.events)
        .filteredOn(MessageParked.class::isInstance)
        .extracting(MessageEvent::consumer)
        .containsExactlyInAnyOrderElementsOf(CONSUMERS);
  }

  @RepeatedTest(10)
  void eachConsumerHandlesEachMessageOnceHoweverOftenItFailsBefore(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    FakeBroker broker = broker(10);
    broker.handler =
        run -> {
          String what = FakeIdempotencyStore.key(run.consumer(), run.messageId());
          int more = tries.computeIfAbsent(what, key -> random.nextInt(10));
          if (more > 0) {
            tries.put(what, more - 1);
            throw new IllegalStateException("not yet");
          }
          return null;
        };
    for (int i = 0; i < 20; i++) {
      broker.send(TestDelivery.of("id-" + i % 15)); // some twice
    }

    broker.run(10_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.store.outcomes).hasSize(15 * 3).containsValue(Outcome.PROCESSED);
    assertThat(tries.values()).hasSize(15 * 3).containsOnly(0);
  }

  @Test
  void aConsumerThatSucceedsIsNotToBlameForOneThatFails() {
    FakeBroker broker = broker(3);
    broker.handler =
        run -> {
          tries.merge(run.consumer(), 1, Integer::sum);
          if (run.consumer().equals("mailing")) {
            throw new IllegalStateException("no such address");
          }
          return null;
        };
    broker.send(TestDelivery.of("id-1"));

    broker.run(10_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .extracting(parked -> parked.delivery().consumer())
        .containsExactly("mailing");
    assertThat(broker.store.outcomes)
        .containsEntry("shipping/id-1", Outcome.PROCESSED)
        .containsEntry("billing/id-1", Outcome.PROCESSED)
        .hasSize(2);
    assertThat(broker.failures)
        .filteredOn(failure -> failure.kind() == Kind.FAILED)
        .extracting(Failure::consumer)
        .containsOnly("mailing")
        .hasSize(3);
    assertThat(tries).containsEntry("mailing", 3);
  }

  private static FakeBroker broker(int maxAttempts) {
    FakeBroker broker =
        new FakeBroker(TestConfig.shop(Map.of("max-attempts", String.valueOf(maxAttempts))));
    broker.consumers = CONSUMERS;
    return broker;
  }
}
