package io.postbox.outbox.server;

import io.postbox.outbox.check.Finding;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.ops.CachedCheck;
import io.postbox.outbox.store.Dialect;
import io.postbox.outbox.store.HolderQuery;
import io.postbox.outbox.store.LookStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready means that this node can enqueue: the tables are in order and the database takes writes.
 * What another node could do no better is told as data: a destination that cannot be reached or is
 * switched off, a partition that is stuck, a backlog. For all of these taking the node out of the
 * load balancer helps nobody, and because every node would say so, it would take out all of them,
 * with all that has nothing to do with the outbox.
 */
@Readiness
@ApplicationScoped
class OutboxReadiness implements HealthCheck {
  @Inject OutboxExtension extension;
  @Inject RelayBean relay;
  @Inject WatchBean watch;
  @Inject GuaranteeBean guarantee;

  private final CachedCheck check = new CachedCheck(this::problem, MonotonicClock.started());

  @Override
  public HealthCheckResponse call() {
    Installation installation = extension.installation();
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("postbox-outbox")
            .up()
            .withData("service", installation.config().service());
    check
        .problem()
        .ifPresentOrElse(
            problem -> health.down().withData("problem", problem),
            () -> tellOfStuckPartitions(installation, health));
    relay
        .waitingDestinations()
        .forEach((name, reason) -> health.withData("waiting: " + name, reason));
    watch.last().paused().forEach((name, reason) -> health.withData("paused: " + name, reason));
    watch
        .last()
        .redirected()
        .forEach((name, target) -> health.withData("redirected: " + name, target));
    watch.backlogWarning().ifPresent(warning -> health.withData("backlog", warning));
    List<String> estimated = watch.last().estimated();
    if (!estimated.isEmpty()) {
      health.withData(
          "estimated",
          "more messages are there than are counted, so the numbers are estimates of: "
              + String.join(", ", estimated));
    }
    watch.uncounted().ifPresent(reason -> health.withData("count", reason));
    watch.refusal().ifPresent(reason -> health.withData("enqueue refuses", reason));
    List<Finding> findings = guarantee.findings();
    if (!findings.isEmpty()) {
      health.withData(
          "findings", findings.stream().map(Finding::name).collect(Collectors.joining(", ")));
    }
    return health.build();
  }

  private Optional<String> problem() {
    Installation installation = extension.installation();
    if (installation.problem().isPresent()) {
      return installation.problem();
    }
    try (Connection connection = installation.dataSource().getConnection()) {
      connection.setAutoCommit(true);
      new LookStore(installation.dialect(), installation.config().tables()).ping(connection);
      return Optional.empty();
    } catch (SQLException refused) {
      return Optional.of(
          Dialect.isReadOnly(refused)
              ? "the database is read-only, so nothing can be enqueued: " + refused.getMessage()
              : OutboxLog.reason(refused));
    }
  }

  private void tellOfStuckPartitions(Installation installation, HealthCheckResponseBuilder health) {
    relay
        .stuckPartitions()
        .forEach(
            (partition, since) ->
                health.withData(
                    "stuck: partition " + partition,
                    "held since %s by whoever this finds: %s"
                        .formatted(
                            since,
                            HolderQuery.of(
                                installation.dialect(),
                                installation.config().tables(),
                                partition))));
  }
}
