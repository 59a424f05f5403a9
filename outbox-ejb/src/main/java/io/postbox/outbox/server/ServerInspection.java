package io.postbox.outbox.server;

import io.postbox.common.server.ServerObjects;
import io.postbox.outbox.check.ServerFacts;
import io.postbox.outbox.config.OutboxConfig;
import java.time.Duration;
import java.util.Optional;

/** Reads the server's settings for the guarantee check. */
final class ServerInspection {

  private ServerInspection() {}

  static ServerFacts facts(OutboxConfig config) {
    Optional<Object> transactions = ServerObjects.transactionSettings();
    return new ServerFacts(
        ServerObjects.bound(config.dataSource())
            .flatMap(it -> ServerObjects.ask(it, "isXADataSource", Boolean.class)),
        ServerObjects.poolSize(config.dataSource()),
        ServerObjects.bound(config.connectionFactory())
            .flatMap(it -> ServerObjects.ask(it, "getPersistentMapping", String.class)),
        transactions.flatMap(it -> ServerObjects.ask(it, "isRecoverOnStartup", Boolean.class)),
        transactions
            .flatMap(it -> ServerObjects.ask(it, "getMaximumTransactionTimeout", Integer.class))
            .map(Duration::ofSeconds));
  }
}
