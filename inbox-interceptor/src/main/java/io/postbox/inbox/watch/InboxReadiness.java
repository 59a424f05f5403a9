package io.postbox.inbox.watch;

import io.postbox.common.check.Finding;
import io.postbox.common.ops.CachedCheck;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SchemaException;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.Stores;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready means that a delivery can be handled: the tables are in order and can be written to. What
 * is kept aside is told as data: it waits for a person, and another node could do no better.
 * Whoever asks may be anybody: what it says has fixed words and numbers, and the rest is in the
 * log.
 */
@Readiness
@ApplicationScoped
class InboxReadiness implements HealthCheck {
  @Inject InboxDatabase database;
  @Inject SuspendedTransaction suspended;
  @Inject KeptCountBean watch;
  @Inject DeliveryGateBean gate;
  @Inject GuaranteeCheckBean guarantee;

  private final CachedCheck check = new CachedCheck(this::problem, MonotonicClock.started());
  private volatile String findings = "";
  private boolean isToldToFail;

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("postbox-inbox")
            .up()
            .withData("service", database.config().service())
            .withData("parked", watch.last().allParked())
            .withData("quarantined", watch.last().allQuarantined());
    Optional<Duration> outage = gate.outage();
    if (outage.isPresent()) { // whoever asks the database now may wait for ever
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
   * Looks again at tables that were not in order: no delivery may come that would do it. Asked by
   * one at a time, and all that takes a connection, or looks into JNDI, is asked here.
   */
  private Optional<String> problem() {
    try {
      if (database.stores().isEmpty()) {
        suspended.run(database::prepare);
      }
      Optional<Stores> stores = database.stores();
      if (stores.isEmpty()) {
        return Optional.of(database.problemInHealth());
      }
      try (Connection connection = database.dataSource().getConnection()) {
        connection.setAutoCommit(true);
        stores.get().messages().ping(connection);
      }
      works();
      return Optional.empty();
    } catch (SQLException unusable) {
      if (!isToldToFail) { // once, and not at every question
        isToldToFail = true;
        WatchLog.notReady(InboxLog.reason(unusable));
      }
      return Optional.of(
          Dialect.isReadOnly(unusable)
              ? "the database is read-only, so nothing can be handled; the log says more (IBX0163)"
              : "the database does not answer, so nothing can be handled; the log says why"
                  + " (IBX0163)");
    } catch (SchemaException unusable) { // which has its line in the log
      return Optional.of(database.problemInHealth());
    }
  }

  private void works() {
    if (isToldToFail) {
      isToldToFail = false;
      WatchLog.readyAgain();
    }
    guarantee.checkOnce();
    findings = guarantee.findings().stream().map(Finding::name).collect(Collectors.joining(", "));
  }
}
