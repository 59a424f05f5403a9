package io.postbox.inbox.interceptor;

import io.postbox.inbox.check.Finding;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.CachedCheck;
import io.postbox.inbox.store.Dialect;
import io.postbox.inbox.store.SchemaException;
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
 */
@Readiness
@ApplicationScoped
class InboxReadiness implements HealthCheck {
  @Inject InboxExtension extension;
  @Inject OutsideTransaction outsideTransaction;
  @Inject WatchBean watch;
  @Inject EntranceBean entrance;
  @Inject GuaranteeBean guarantee;

  private final CachedCheck check = new CachedCheck(this::problem, MonotonicClock.started());

  @Override
  public HealthCheckResponse call() {
    Installation installation = extension.installation();
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("postbox-inbox")
            .up()
            .withData("service", installation.config().service())
            .withData("parked", watch.last().allParked())
            .withData("quarantined", watch.last().allQuarantined());
    Optional<Duration> outage = entrance.outage();
    if (outage.isPresent()) { // whoever asks the database now may wait for ever
      health.down().withData("database down", outage.get().toSeconds() + " s");
    } else {
      check.problem().ifPresent(problem -> health.down().withData("problem", problem));
      guarantee.checkOnce();
    }
    if (!guarantee.findings().isEmpty()) {
      health.withData(
          "findings",
          guarantee.findings().stream().map(Finding::name).collect(Collectors.joining(", ")));
    }
    return health.build();
  }

  /** Looks again at tables that were not in order: no delivery may come that would do it. */
  private Optional<String> problem() {
    Installation installation = extension.installation();
    try {
      if (installation.stores().isEmpty()) {
        outsideTransaction.run(installation::prepare);
      }
      Optional<Stores> stores = installation.stores();
      if (stores.isEmpty()) {
        return Optional.of(installation.problem());
      }
      try (Connection connection = installation.dataSource().getConnection()) {
        connection.setAutoCommit(true);
        stores.get().messages().ping(connection);
      }
      return Optional.empty();
    } catch (SQLException unusable) {
      return Optional.of(
          Dialect.isReadOnly(unusable)
              ? "the database is read-only, so nothing can be handled: " + unusable.getMessage()
              : InboxLog.reason(unusable));
    } catch (SchemaException unusable) {
      return Optional.of(InboxLog.reason(unusable));
    }
  }
}
