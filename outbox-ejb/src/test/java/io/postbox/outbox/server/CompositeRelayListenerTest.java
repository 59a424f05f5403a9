package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayListener;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompositeRelayListenerTest {
  private static final StoredMessage MESSAGE =
      new StoredMessage(
          1,
          Messages.envelope(Messages.id(1), "shipping", null, new Body.Text("x"), "{}", null),
          0,
          Instant.EPOCH,
          Duration.ZERO,
          null,
          null);

  private final List<String> told = new ArrayList<>();

  @Test
  void allHearEverything() {
    tellAll(new CompositeRelayListener(List.of(new Noting(), new Noting())));

    assertThat(told)
        .containsExactly(
            "sent",
            "sent",
            "failed 1 why",
            "failed 1 why",
            "died 2 so",
            "died 2 so",
            "looked",
            "looked");
  }

  /** The batch is sent; a listener that fails must not have it sent again. */
  @Test
  void oneThatFailsHurtsNeitherTheOthersNorTheRelay() {
    tellAll(
        new CompositeRelayListener(
            List.of(
                new Failing(new IllegalStateException("no registry")),
                new Failing(new NoClassDefFoundError("no registry")),
                new Noting())));

    assertThat(told).containsExactly("sent", "failed 1 why", "died 2 so", "looked");
  }

  private static void tellAll(RelayListener listeners) {
    listeners.sent(MESSAGE);
    listeners.attemptFailed(MESSAGE, 1, "why");
    listeners.died(MESSAGE, 2, "so");
    listeners.polled();
  }

  private final class Noting implements RelayListener {
    @Override
    public void sent(StoredMessage message) {
      told.add("sent");
    }

    @Override
    public void attemptFailed(StoredMessage message, int attempt, String reason) {
      told.add("failed " + attempt + " " + reason);
    }

    @Override
    public void died(StoredMessage message, int attempts, String reason) {
      told.add("died " + attempts + " " + reason);
    }

    @Override
    public void polled() {
      told.add("looked");
    }
  }

  private record Failing(Throwable thrown) implements RelayListener {
    private void fail() {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }

    @Override
    public void sent(StoredMessage message) {
      fail();
    }

    @Override
    public void attemptFailed(StoredMessage message, int attempt, String reason) {
      fail();
    }

    @Override
    public void died(StoredMessage message, int attempts, String reason) {
      fail();
    }

    @Override
    public void polled() {
      fail();
    }
  }
}
