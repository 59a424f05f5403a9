package io.postbox.outbox.server;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.LookStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready means that a message can be enqueued: the tables are in order and the database answers. A
 * destination that cannot be reached does not make the service unready, because its messages are
 * safe; it is told as data.
 */
@Readiness
@ApplicationScoped
class OutboxReadiness implements HealthCheck {
  @Inject OutboxExtension extension;
  @Inject RelayBean relay;

  @Override
  public HealthCheckResponse call() {
    Installation installation = extension.installation();
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("postbox-outbox")
            .up()
            .withData("service", installation.config().service());
    relay
        .waitingDestinations()
        .forEach((name, reason) -> health.withData("waiting: " + name, reason));
    installation.problem().ifPresent(problem -> health.down().withData("problem", problem));
    if (installation.problem().isEmpty()) {
      try (Connection connection = installation.dataSource().getConnection()) {
        connection.setAutoCommit(true);
        new LookStore(installation.dialect(), installation.config().tables()).ping(connection);
      } catch (SQLException unreachable) {
        health.down().withData("problem", OutboxLog.reason(unreachable));
      }
    }
    return health.build();
  }
}
