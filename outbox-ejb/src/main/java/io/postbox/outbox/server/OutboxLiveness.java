package io.postbox.outbox.server;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Alive means that the relay's timer still looks for work, where this node relays, and that workers
 * come for what it finds.
 */
@Liveness
@ApplicationScoped
class OutboxLiveness implements HealthCheck {
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  @Inject OutboxExtension extension;
  @Inject RelayBean relay;

  @Override
  public HealthCheckResponse call() {
    boolean relays = extension.installation().config().relay().enabled();
    Duration silence = relay.sinceLastPoll();
    Duration unattended = relay.unattended();
    return HealthCheckResponse.named("postbox-outbox-relay")
        .status(!relays || (isShort(silence) && isShort(unattended)))
        .withData("enabled", relays)
        .withData("secondsSinceLastPoll", silence.toSeconds())
        .withData("secondsWithoutWorker", unattended.toSeconds())
        .build();
  }

  private static boolean isShort(Duration time) {
    return time.compareTo(LONGEST_SILENCE) <= 0;
  }
}
