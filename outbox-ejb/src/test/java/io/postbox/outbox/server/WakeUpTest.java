package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.testing.Messages;
import jakarta.transaction.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WakeUpTest {
  private final Map<String, Integer> enqueued = new HashMap<>();
  private int woken;
  private final WakeUp wakeUp =
      new WakeUp(
          new AfterCommit() {
            @Override
            public void wake(Set<Lane> lanes, Optional<Duration> firstDelay) {
              woken++;
            }

            @Override
            public void enqueued(Map<String, Integer> messages) {
              enqueued.putAll(messages);
            }
          });

  @Test
  void committedMessagesAreCountedByDestination() {
    wakeUp.add(message(1, "shipping", null));
    wakeUp.add(message(2, "shipping", Instant.now().plusSeconds(60)));
    wakeUp.add(message(3, "billing", null));
    wakeUp.afterCompletion(Status.STATUS_COMMITTED);

    assertThat(enqueued).isEqualTo(Map.of("shipping", 2, "billing", 1));
    assertThat(woken).isEqualTo(1);
  }

  @Test
  void rolledBackMessagesAreNotCounted() {
    wakeUp.add(message(1, "shipping", null));
    wakeUp.afterCompletion(Status.STATUS_ROLLEDBACK);

    assertThat(enqueued).isEmpty();
    assertThat(woken).isZero();
  }

  private static NewMessage message(int id, String destination, @Nullable Instant notBefore) {
    return new NewMessage(
        0,
        Messages.envelope(Messages.id(id), destination, null, new Body.Text("x"), "{}", null),
        notBefore,
        null);
  }
}
