package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.TestDelivery;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages whose handler fails each time in a way that should pass by itself. */
class TransientPoisonTest {
  private static final TestDelivery FIRST = TestDelivery.of("id-1");
  private static final int BUDGET = 20;

  private final FakeBroker broker =
      new FakeBroker(
          TestConfig.shop(
              Map.of("max-attempts", "3", "max-transient-failures", String.valueOf(BUDGET))));

  @ParameterizedTest
  @ValueSource(strings = {"57014", "55P03", "53400", "53100", "40001", "40P01", "08006"})
  void itIsParkedWhenItHasFailedSoOften(String state) {
    broker.handler =
        run -> {
          throw new IllegalStateException(new SQLException("its query takes too long", state));
        };

    broker.send(FIRST);
    broker.run(10 * BUDGET);

    assertParked();
  }

  @Test
  void alsoIfItsQueryTimesOutWithoutAState() {
    broker.handler =
        run -> {
          throw new SQLTimeoutException("its query takes too long");
        };

    broker.send(FIRST);
    broker.run(10 * BUDGET);

    assertParked();
  }

  private void assertParked() {
    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.failures).hasSize(BUDGET);
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.TOO_MANY_TRANSIENT_FAILURES);
              assertThat(parked.attempts()).isEqualTo(BUDGET);
              assertThat(parked.error()).contains("its query takes too long");
              assertThat(parked.signature()).isEqualTo(broker.failures.get(0).error().signature());
            });
  }

  @Test
  void anOutageOfTheInboxsDatabaseUsesNothingUp() {
    broker.handler =
        run -> {
          throw new IllegalStateException(new SQLException("gone", "08006"));
        };
    broker.send(FIRST);
    broker.databaseIsDown = true;
    broker.run(10 * BUDGET);
    broker.databaseIsDown = false;
    assertThat(broker.failures).isEmpty();
    broker.handler = run -> "done";

    broker.run(BUDGET);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked).isEmpty();
  }

  @Test
  void aHandlerThatAsksForAnotherTimeIsNeverParked() {
    broker.handler =
        run -> {
          throw new RetryLaterException(Duration.ofMinutes(7), "the shop is closed");
        };
    broker.send(FIRST);

    broker.run(10 * BUDGET);

    assertThat(broker.isEmpty()).isFalse();
  }

  @Test
  void aConsumerBesideOneThatIsStoredGoesOn() {
    sendToAuditAndToAClosedShop();

    broker.run(3);

    assertThat(broker.store.outcomes).containsOnlyKeys("audit/id-1");
    assertThat(broker.store.handedBack).hasSize(1);
  }

  @Test
  void aConsumerBesideOneThatFailsIsNeverParked() {
    broker.canBeSentAgain = false;
    broker.store.sinceLast = Duration.ofHours(1);
    sendToAuditAndToAClosedShop();

    broker.run(10 * BUDGET);

    assertThat(broker.failures)
        .filteredOn(failure -> failure.consumer().equals("audit"))
        .hasSizeGreaterThan(BUDGET)
        .extracting(Failure::kind)
        .containsOnly(Kind.BYSTANDER);
    assertThat(broker.store.parked).isEmpty();
  }

  private void sendToAuditAndToAClosedShop() {
    broker.consumers = List.of("audit", "shipping");
    broker.handler =
        run -> {
          if (run.consumer().equals("shipping")) {
            throw new RetryLaterException(Duration.ofMinutes(7), "the shop is closed");
          }
          return null;
        };
    broker.send(FIRST);
  }
}
