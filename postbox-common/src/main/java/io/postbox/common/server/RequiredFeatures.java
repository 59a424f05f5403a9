package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The server's features without which a module does not work. They are looked for before another
 * class fails without one.
 *
 * @param all in the order in which they are named
 */
public record RequiredFeatures(List<ServerFeature> all) {
  /** The outbox's. */
  public static final RequiredFeatures OF_OUTBOX =
      of(
          "outbox",
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
              "with which the outbox sends messages"));

  /** The inbox's. */
  public static final RequiredFeatures OF_INBOX =
      of(
          "inbox",
          new ServerFeature(
              "enterpriseBeansLite-4.0",
              "jakarta.ejb.MessageDriven",
              "whose beans the inbox guards"),
          new ServerFeature(
              "concurrent-3.0",
              "jakarta.enterprise.concurrent.ContextService",
              "with whose contexts the inbox fires its events"),
          new ServerFeature(
              "messaging-3.1", "jakarta.jms.Message", "whose messages the inbox guards"));

  private static RequiredFeatures of(
      String module, ServerFeature beans, ServerFeature contexts, ServerFeature messages) {
    return new RequiredFeatures(
        List.of(
            new ServerFeature(
                "mpConfig-3.1",
                "org.eclipse.microprofile.config.ConfigProvider",
                "from which the %s reads its settings".formatted(module)),
            beans,
            contexts,
            messages,
            new ServerFeature(
                "jsonp-2.1",
                "jakarta.json.spi.JsonProvider",
                "with which the %s stores the properties of a message".formatted(module))));
  }

  /**
   * Looks for all of them.
   *
   * @param loader the module's
   * @throws ConfigurationException naming all that are missing
   */
  public void check(ClassLoader loader) {
    check(feature -> feature.isPresent(loader));
  }

  /** The same, with another way to look for one. */
  void check(Predicate<ServerFeature> isPresent) {
    String missing =
        all.stream()
            .filter(isPresent.negate())
            .map(ServerFeature::sentence)
            .collect(Collectors.joining(" "));
    if (!missing.isEmpty()) {
      throw new ConfigurationException(missing);
    }
  }
}
