package io.postbox.outbox.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.ServerFeature;
import java.util.List;

/** The server's features that the outbox needs. */
final class RequiredFeatures {
  static final List<ServerFeature> ALL =
      List.of(
          new ServerFeature(
              "mpConfig-3.1",
              "org.eclipse.microprofile.config.ConfigProvider",
              "from which the outbox reads its settings"),
          new ServerFeature(
              "enterpriseBeansLite-4.0",
              "jakarta.ejb.TimerService",
              "whose timer wakes the outbox's relay"),
          new ServerFeature(
              "concurrent-3.0",
              "jakarta.enterprise.concurrent.ManagedThreadFactory",
              "on whose threads the outbox's relay works"),
          new ServerFeature(
              "messaging-3.1",
              "jakarta.jms.ConnectionFactory",
              "with which the outbox sends messages"),
          new ServerFeature(
              "jsonp-2.1",
              "jakarta.json.spi.JsonProvider",
              "with which the outbox stores the properties of a message"));

  /** Needed only by OutboxMessage.json. */
  static final ServerFeature JSON_BINDING =
      new ServerFeature(
          "jsonb-3.0",
          "jakarta.json.bind.JsonbBuilder",
          "with which the outbox writes a payload given as json(...)");

  private RequiredFeatures() {}

  /**
   * Looks for those without which nothing works.
   *
   * @throws ConfigurationException naming all that are missing
   */
  static void check() {
    ServerFeature.require(ALL, RequiredFeatures.class.getClassLoader());
  }
}
