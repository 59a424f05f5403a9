package io.postbox.inbox.startup;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.ServerFeature;
import java.util.List;

/** The server's features that the inbox needs. */
final class RequiredFeatures {
  static final List<ServerFeature> ALL =
      List.of(
          new ServerFeature(
              "mpConfig-3.1",
              "org.eclipse.microprofile.config.ConfigProvider",
              "from which the inbox reads its settings"),
          new ServerFeature(
              "enterpriseBeansLite-4.0",
              "jakarta.ejb.MessageDriven",
              "whose beans the inbox guards"),
          new ServerFeature(
              "concurrent-3.0",
              "jakarta.enterprise.concurrent.ContextService",
              "with whose contexts the inbox fires its events"),
          new ServerFeature(
              "messaging-3.1", "jakarta.jms.Message", "whose messages the inbox guards"),
          new ServerFeature(
              "jsonp-2.1",
              "jakarta.json.spi.JsonProvider",
              "with which the inbox stores the properties of a message"));

  private RequiredFeatures() {}

  /**
   * Checks the features without which the inbox cannot work.
   *
   * @throws ConfigurationException naming all missing features
   */
  static void check() {
    ServerFeature.require(ALL, RequiredFeatures.class.getClassLoader());
  }
}
