package io.postbox.it.tools;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OutboxProperties;
import io.postbox.outbox.OutboxStatistics;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;
import java.util.UUID;

/** Conditions that must hold after every test. */
public final class Invariants {
  private Invariants() {}

  /** Each of these messages came, once, and no other. */
  public static void nothingLostNothingDoubled(List<UUID> enqueued, List<Message> received) {
    assertThat(received.stream().map(Invariants::messageId))
        .as("message ids received")
        .containsExactlyInAnyOrderElementsOf(enqueued);
  }

  /** The outbox has nothing to send, and has given nothing up. */
  public static void nothingPending(OutboxStatistics outbox) {
    eventually(() -> assertThat(outbox.byDestination()).as("rows in the outbox").isEmpty());
  }

  /** The id of a message as the contract has it. */
  public static UUID messageId(Message message) {
    try {
      return UUID.fromString(message.getStringProperty(OutboxProperties.MESSAGE_ID));
    } catch (JMSException e) {
      throw new IllegalStateException("no property " + OutboxProperties.MESSAGE_ID, e);
    }
  }
}
