package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutcomePublisherTest {
  private final List<String> heard = new ArrayList<>();

  private final RelayListener listener =
      new RelayListener() {
        @Override
        public void sent(StoredMessage message) {
          heard.add(message.seq() + " sent");
        }

        @Override
        public void attemptFailed(StoredMessage message, int attempt, String reason) {
          heard.add(message.seq() + " failed " + attempt + " " + reason);
        }

        @Override
        public void died(StoredMessage message, int attempts, String reason) {
          heard.add(message.seq() + " died " + attempts + " " + reason);
        }

        @Override
        public void polled() {
          throw new AssertionError("nobody has");
        }
      };

  private final OutcomePublisher outcomes = new OutcomePublisher(listener);

  private static SendReport rejected(StoredMessage message) {
    return new SendReport(
        List.of(), Map.of(message, RecordedError.of("no")), Map.of(), Optional.empty());
  }

  private static Failure failure(StoredMessage message, boolean dead) {
    return new Failure(message, 1, dead, Duration.ZERO, RecordedError.of("no"));
  }

  @Test
  void sentMessagesAreReportedOneByOneAndNotLogged() {
    try (LogLines log = LogLines.all("io.postbox.outbox")) {
      outcomes.publish(
          new SendReport(Messages.unordered(2, "d"), Map.of(), Map.of(), Optional.empty()),
          Map.of(),
          List.of());
      assertThat(log.lines()).isEmpty();
    }
    assertThat(heard).containsExactly("1 sent", "2 sent");
  }

  @Test
  void aFailureIsReportedWithTheNumberOfTheAttempt() {
    try (LogLines log = LogLines.all("io.postbox.outbox")) {
      StoredMessage message = message(1, "d", null, 1, null);
      outcomes.publish(rejected(message), Map.of(), List.of(failure(message, false)));
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0006 Attempt 2 ");
    }
    assertThat(heard).containsExactly("1 failed 2 no");
  }

  @Test
  void theLastFailureIsADeath() {
    try (LogLines log = LogLines.all("io.postbox.outbox")) {
      StoredMessage message = message(1, "d", null, 2, null);
      outcomes.publish(rejected(message), Map.of(), List.of(failure(message, true)));
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0007 ")
          .contains("after 3 attempts");
    }
    assertThat(heard).containsExactly("1 failed 3 no", "1 died 3 no");
  }

  @Test
  void aDoomedMessageDiesWithoutAnAttempt() {
    outcomes.publish(
        SendReport.NOTHING,
        Map.of(message(1, "d", null, 1, null), RecordedError.of("expired")),
        List.of());

    assertThat(heard).containsExactly("1 died 1 expired");
  }
}
