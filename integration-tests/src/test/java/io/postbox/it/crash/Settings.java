package io.postbox.it.crash;

import java.nio.file.Path;
import java.util.Random;

/**
 * What the build tells the campaign; see the POM.
 *
 * @param installation the Open Liberty to run, shared with other tests
 * @param libertyConfig the sample's configuration
 * @param artifacts the sample's EAR and the database drivers
 * @param work where servers, data and logs may lie
 * @param rounds how many times the server is killed under load, in each mode
 * @param strikes how many times it dies at a named point, in each mode
 * @param longStops whether a server is also stopped with a handler that outlasts the half minute
 *     for which the server waits itself
 * @param seed what the moments are drawn from
 */
record Settings(
    Path installation,
    Path libertyConfig,
    Path artifacts,
    Path work,
    int rounds,
    int strikes,
    boolean longStops,
    long seed) {

  static Settings read() {
    return new Settings(
        path("postbox.wlp"),
        path("postbox.liberty-config"),
        path("postbox.artifacts"),
        path("postbox.work").resolve("crash"),
        atLeastOne("rounds"),
        atLeastOne("strikes"),
        value("crash.stops").equals("long"),
        seed(value("crash.seed")));
  }

  private static int atLeastOne(String option) {
    int number = Integer.parseInt(value("crash." + option));
    if (number < 1) {
      throw new IllegalArgumentException("-D" + option + "=" + number + ": at least one");
    }
    return number;
  }

  private static long seed(String text) {
    return text.equals("random") ? new Random().nextInt(1_000_000) : Long.parseLong(text);
  }

  private static Path path(String key) {
    return Path.of(value(key)).toAbsolutePath().normalize();
  }

  private static String value(String key) {
    String value = System.getProperty(key, "");
    if (value.isEmpty()) {
      throw new IllegalStateException(
          "System property " + key + " is missing; run this through Maven: ./mvnw verify");
    }
    return value;
  }
}
