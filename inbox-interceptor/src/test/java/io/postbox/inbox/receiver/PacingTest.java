package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A message that fails before its handler does not go round at the speed of the broker. */
class PacingTest {
  private static final TestDelivery FIRST = TestDelivery.of("id-1");
  private static final TestDelivery WITHOUT_ID =
      TestDelivery.of(new Unusable(QuarantineReason.MISSING_ID));
  private static final int ROUNDS = 20;

  private final FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));
  private int handled;

  PacingTest() {
    broker.handler =
        run -> {
          handled++;
          run.result("42");
          return "done";
        };
  }

  @Test
  void aDuplicateWhoseReplyFailsIsHeldUpUntilItGoesOut() {
    broker.wantsReply = true;
    broker.deliver(FIRST);
    broker.replies.clear();
    broker.repliesFail = true;
    broker.send(FIRST);
    broker.run(ROUNDS);
    assertHeldUp();

    broker.repliesFail = false;
    broker.run(1);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.replies).containsExactly("42");
    assertThat(handled).isOne();
  }

  @Test
  void soIsOneWhoseReplyIsRefusedAfterTheCommit() {
    broker.wantsReply = true;
    broker.repliesAreRefused = true;
    broker.send(FIRST);
    broker.run(ROUNDS);
    assertHeldUp();

    broker.repliesAreRefused = false;
    broker.run(1);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(handled).isOne();
  }

  @Test
  void soIsOneThatCannotBeKeptAside() {
    broker.store.keepsNothing = true;
    broker.send(WITHOUT_ID);
    broker.run(ROUNDS);
    assertHeldUp();

    broker.store.keepsNothing = false;
    broker.run(1);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.quarantined).hasSize(1);
  }

  @Test
  void soIsOneThatIsKeptAsideInATransactionThatDoesNotCommit() {
    broker.commitsFail = true;
    broker.send(WITHOUT_ID);
    broker.run(ROUNDS);
    assertHeldUp();

    broker.commitsFail = false;
    broker.run(1);

    assertThat(broker.store.quarantined).hasSize(1);
  }

  @Test
  void soIsOneThatCannotBeRead() {
    broker.cannotBeRead = true;
    broker.send(FIRST);
    broker.run(ROUNDS);
    assertHeldUp();

    broker.cannotBeRead = false;
    broker.run(1);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(handled).isOne();
  }

  @Test
  void aMessageThatFailedOnceIsRetriedAtOnce() {
    broker.store.keepsNothing = true;
    broker.send(WITHOUT_ID);
    broker.run(1);
    broker.store.keepsNothing = false;

    broker.run(1);

    assertThat(broker.holds).isZero();
    assertThat(broker.now).isZero();
    assertThat(broker.store.quarantined).hasSize(1);
  }

  @Test
  void aMessageThatTheDatabaseFailedIsNotHeldUpBesides() {
    broker.store.keepsNothing = true;
    broker.databaseIsDown = true;
    broker.send(WITHOUT_ID);

    broker.run(ROUNDS);

    assertThat(broker.holds).isZero();
  }

  @Test
  void aBrokerThatRedeliversLaterIsNotHeldUp() {
    broker.redeliversAtOnce = false;
    broker.store.keepsNothing = true;
    broker.send(WITHOUT_ID);

    broker.run(ROUNDS);

    assertThat(broker.holds).isZero();
  }

  /** A second each time, but for the first one or two. */
  private void assertHeldUp() {
    assertThat(broker.isEmpty()).isFalse();
    assertThat(broker.now).isBetween(Duration.ofSeconds(ROUNDS - 2), Duration.ofSeconds(ROUNDS));
  }
}
