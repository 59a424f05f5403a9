package io.postbox.inbox.server;

import io.postbox.common.server.ServerObjects;
import io.postbox.inbox.check.ServerFacts;
import io.postbox.inbox.config.InboxConfig;
import java.time.Duration;
import java.util.Optional;

/** Reads the server's settings for the guarantee check. */
public final class ServerInspection {

  private ServerInspection() {}

  public static ServerFacts facts(InboxConfig config) {
    Optional<Object> transactions = ServerObjects.transactionSettings();
    return new ServerFacts(
        ServerObjects.bound(config.dataSource())
            .flatMap(it -> ServerObjects.ask(it, "isXADataSource", Boolean.class)),
        ServerObjects.poolSize(config.dataSource()),
        transactions.flatMap(it -> ServerObjects.ask(it, "isRecoverOnStartup", Boolean.class)),
        transactions
            .flatMap(
                it -> ServerObjects.ask(it, "getTotalTransactionLifetimeTimeout", Integer.class))
            .map(Duration::ofSeconds));
  }

  /**
   * Whether the resource adapter of a connection factory is Artemis's and acknowledges messages
   * before they are handled, including those that it delivers to message-driven beans.
   */
  public static boolean acknowledgesEarly(InboxConfig config) {
    return config.connectionFactories().stream()
        .flatMap(name -> ServerObjects.bound(name).stream())
        .flatMap(factory -> ServerObjects.ask(factory, "getResourceAdapter", Object.class).stream())
        .flatMap(adapter -> ServerObjects.ask(adapter, "getPreAcknowledge", Boolean.class).stream())
        .anyMatch(early -> early);
  }
}
