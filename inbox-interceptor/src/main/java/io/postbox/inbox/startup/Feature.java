package io.postbox.inbox.startup;

import io.postbox.common.config.ConfigurationException;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the inbox needs of the server. Each is looked for by one of its classes, so that one
 * sentence can name the feature before something else fails for want of it.
 */
enum Feature {
  CONFIGURATION(
      "mpConfig-3.1",
      "org.eclipse.microprofile.config.ConfigProvider",
      "from which the inbox reads its settings"),
  ENTERPRISE_BEANS(
      "enterpriseBeansLite-4.0", "jakarta.ejb.MessageDriven", "whose beans the inbox guards"),
  THREADS(
      "concurrent-3.0",
      "jakarta.enterprise.concurrent.ContextService",
      "with whose contexts the inbox tells its events"),
  MESSAGING("messaging-3.1", "jakarta.jms.Message", "whose messages the inbox guards"),
  JSON(
      "jsonp-2.1",
      "jakarta.json.spi.JsonProvider",
      "by which the inbox stores the properties of a message");

  private final String name;
  private final String type;
  private final String use;

  Feature(String name, String type, String use) {
    this.name = name;
    this.type = type;
    this.use = use;
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
            .filter(feature -> !isVisible.test(feature.type))
            .map(Feature::sentence)
            .collect(Collectors.joining(" "));
    if (!missing.isEmpty()) {
      throw new ConfigurationException(missing);
    }
  }

  /** What to do about it where it is missing. */
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
