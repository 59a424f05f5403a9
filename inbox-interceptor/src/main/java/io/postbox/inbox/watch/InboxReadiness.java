package io.postbox.inbox.watch;

import io.postbox.common.check.Finding;
import io.postbox.common.ops.CachedCheck;
import io.postbox.common.store.SchemaException;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.CountStore.Kind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * The node is ready if it can handle a delivery: the tables are in order and the database accepts
 * writes. Kept messages are only reported as data: they wait for an operator, and another node
 * could not help either. Any caller may read the answer, so it has only fixed texts and numbers;
 * the log has the details.
 */
@Readiness
@ApplicationScoped
class InboxReadiness implements HealthCheck {
  @Inject InboxDatabase database;
  @Inject SuspendedTransaction suspended;
  @Inject KeptCountBean watch;
  @Inject InboxDeployment deployment;
  @Inject DeliveryGateBean gate;
  @Inject GuaranteeCheckBean guarantee;

  private final CachedCheck check = new CachedCheck(this::problem, MonotonicClock.started());
  private volatile String findings = "";

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("postbox-inbox")
            .up()
            .withData("service", database.config().service())
            .withData("parked", watch.last().number(Kind.PARKED))
            .withData("quarantined", watch.last().number(Kind.QUARANTINED));
    for (String consumer : watch.last().paused()) {
      if (deployment.handlers().of(consumer).isPresent()) { // others are no names of ours to show
        health.withData(
            "paused: " + consumer,
            "an operator has paused the handling of its captured messages; the log says who and why"
                + " (IBX0195)");
      }
    }
    Optional<Duration> outage = gate.outage();
    if (outage.isPresent()) { // a query could wait for ever now
      health.down().withData("database down", outage.get().toSeconds() + " s");
    } else {
      check.problem().ifPresent(problem -> health.down().withData("problem", problem));
    }
    if (!findings.isEmpty()) {
      health.withData("findings", findings);
    }
    return health.build();
  }

  /**
   * Checks the database, and checks tables again that were not in order, because there may be no
   * delivery that would. Called by one thread at a time; only this method takes a connection or
   * uses JNDI.
   */
  private Optional<String> problem() {
    try {
      if (!database.isReady()) {
        suspended.run(database::prepare);
      }
      Optional<String> problem = database.findProblem();
      if (problem.isEmpty()) {
        guarantee.checkOnce();
        findings =
            guarantee.findings().stream().map(Finding::name).collect(Collectors.joining(", "));
      }
      return problem;
    } catch (SchemaException unusable) { // already logged
      return Optional.of(database.problemInHealth());
    }
  }
}
