package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.RetryPolicy;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.TestDelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A policy that is set while the servers run, and messages that failed before. */
class RuntimePolicyTest {
  private static final TestDelivery FIRST = TestDelivery.of("id-1");

  private final InboxConfig config =
      TestConfig.shop(Map.of("max-attempts", "10", "backoff.first", "1s", "backoff.max", "1h"));
  private final FakeBroker broker = new FakeBroker(config);
  private final List<Integer> attempts = new ArrayList<>();

  private void set(RetryPolicy policy) {
    broker.settings =
        consumer -> {
          ConsumerConfig configured = config.of(consumer);
          return consumer.equals(FIRST.consumer())
              ? configured.with(configured.retries().with(policy))
              : configured;
        };
  }

  private void failing() {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          throw new IllegalStateException("no stock");
        };
  }

  /** A failure, and the redelivery that sends a delayed copy; the first delivery has no failure. */
  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      broker.run(2);
    }
  }

  @Test
  void fewerAttemptsParkItAtItsNextDeliveryWithoutAnother() {
    failing();
    broker.send(FIRST);
    fail(3);
    assertThat(attempts).containsExactly(1, 2, 3);
    set(RetryPolicy.asConfigured().maxAttempts(2));
    broker.run(100);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.TOO_MANY_FAILURES);
              assertThat(parked.attempts()).isEqualTo(3);
            });
  }

  @Test
  void moreAttemptsKeepItAndAResetLetsItGo() {
    failing();
    set(RetryPolicy.asConfigured().maxAttempts(1_000));
    broker.send(FIRST);
    fail(12);
    assertThat(attempts).hasSize(12);
    assertThat(broker.store.parked).isEmpty();
    broker.settings = config::of;
    broker.run(100);

    assertThat(attempts).hasSize(12);
    assertThat(broker.store.parked).hasSize(1);
  }

  @Test
  void theNextWaitIsItsOwn() {
    failing();
    broker.send(FIRST);
    fail(1);
    set(
        RetryPolicy.asConfigured()
            .firstBackoff(Duration.ofHours(10))
            .maxBackoff(Duration.ofHours(10)));
    fail(1);

    assertThat(broker.delays).hasSize(2);
    assertThat(broker.delays.get(0)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(broker.delays.get(1)).isBetween(Duration.ofHours(5), Duration.ofHours(10));
  }

  @Test
  void otherConsumersDoNotCare() {
    failing();
    set(RetryPolicy.asConfigured().maxAttempts(1));
    broker.send(FIRST.to("another"));
    broker.run(100);

    assertThat(attempts).hasSize(10);
  }
}
