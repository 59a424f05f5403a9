package io.postbox.outbox.server;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * The node is alive if, where it relays, its scheduler still runs and workers take the lanes with
 * work.
 */
@Liveness
@ApplicationScoped
class OutboxLiveness implements HealthCheck {
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  @Inject OutboxDatabase database;
  @Inject NodeScheduler scheduler;
  @Inject RelayBean relay;

  @Override
  public HealthCheckResponse call() {
    boolean relays = database.config().relay().runsHere();
    Duration silence = scheduler.sinceLastRun();
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
