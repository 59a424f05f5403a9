package io.postbox.outbox.server;

import io.postbox.common.check.Finding;
import io.postbox.common.ops.CachedCheck;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.ops.HealthData;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * The node is ready if it can enqueue: the tables are in order and the database accepts writes.
 * Problems that every node shares are only reported as data: an unavailable or paused destination,
 * a stuck partition, a backlog. If they made a node unready, the load balancer would take out every
 * node, with all work that does not concern the outbox. Any caller may read the answer, so its
 * texts are fixed; the log has the details.
 */
@Readiness
@ApplicationScoped
class OutboxReadiness implements HealthCheck {
  @Inject OutboxDatabase database;
  @Inject RelayBean relay;
  @Inject StatisticsBean watch;
  @Inject SlotBean slot;
  @Inject GuaranteeCheckBean guarantee;

  private final CachedCheck check =
      new CachedCheck(() -> database.findProblem(), MonotonicClock.started());

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("postbox-outbox")
            .up()
            .withData("service", database.config().service());
    Optional<String> problem = check.problem();
    problem.ifPresent(words -> health.down().withData("problem", words));
    new HealthData(
            database.config().destinations(),
            problem.isPresent() ? Map.of() : relay.stuckPartitions(),
            relay.openCircuits().keySet(),
            watch.last().paused(),
            watch.last().redirected(),
            watch.last().estimated(),
            watch.isUncounted(),
            watch.backlogWarning(),
            watch.refusal(),
            slot.last().isMissing(),
            guarantee.findings().stream().map(Finding::name).toList())
        .data()
        .forEach(health::withData);
    return health.build();
  }
}
