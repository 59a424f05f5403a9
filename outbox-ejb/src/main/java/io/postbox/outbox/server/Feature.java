package io.postbox.outbox.server;

import io.postbox.common.config.ConfigurationException;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the outbox needs of the server. Each is looked for by one of its classes, so that one
 * sentence can name the feature before something else fails for want of it.
 */
enum Feature {
  CONFIGURATION(
      "mpConfig-3.1",
      "org.eclipse.microprofile.config.ConfigProvider",
      "from which the outbox reads its settings",
      true),
  ENTERPRISE_BEANS(
      "enterpriseBeansLite-4.0",
      "jakarta.ejb.TimerService",
      "whose timer wakes the outbox's relay",
      true),
  THREADS(
      "concurrent-3.0",
      "jakarta.enterprise.concurrent.ManagedThreadFactory",
      "on whose threads the outbox's relay works",
      true),
  MESSAGING(
      "messaging-3.1",
      "jakarta.jms.ConnectionFactory",
      "by which the outbox hands messages over",
      true),
  JSON(
      "jsonp-2.1",
      "jakarta.json.spi.JsonProvider",
      "by which the outbox stores the properties of a message",
      true),
  JSON_BINDING(
      "jsonb-3.0",
      "jakarta.json.bind.JsonbBuilder",
      "by which the outbox writes a payload given as json(...)",
      false);

  private final String name;
  private final String type;
  private final String use;
  private final boolean always;

  Feature(String name, String type, String use, boolean always) {
    this.name = name;
    this.type = type;
    this.use = use;
    this.always = always;
  }

  /**
   * Looks for those without which nothing works.
   *
   * @throws ConfigurationException naming all that are missing
   */
  static void requireThoseOfEverybody() {
    require(Feature::isVisible);
  }

  static void require(Predicate<String> isVisible) {
    String missing =
        Arrays.stream(values())
            .filter(feature -> feature.always && !isVisible.test(feature.type))
            .map(Feature::sentence)
            .collect(Collectors.joining(" "));
    if (!missing.isEmpty()) {
      throw new ConfigurationException(missing);
    }
  }

  /** Whether the server has it, as far as this application can see. */
  boolean isThere() {
    return isVisible(type);
  }

  /** The remedy where it is missing. */
  String sentence() {
    return "The server lacks the feature %1$s, %2$s: add <feature>%1$s</feature> to the featureManager in server.xml."
        .formatted(name, use);
  }

  private static boolean isVisible(String type) {
    try {
      Class.forName(type, false, Feature.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false; // which is the answer
    }
  }
}
