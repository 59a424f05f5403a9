package io.postbox.benchmark;

import java.nio.file.Path;

/**
 * The settings of the benchmark, from the build; see the POM.
 *
 * @param work where everything may lie
 * @param messages in a drain
 * @param repetitions of each measurement
 * @param sent rows that are kept, where that is measured
 * @param roundTrips of each kind
 * @param workers of the relay, and threads of the floors
 * @param batch messages per transaction
 */
record Options(
    Path work, int messages, int repetitions, int sent, int roundTrips, int workers, int batch) {

  static Options read() {
    return new Options(
        path("work"),
        number("messages"),
        number("repetitions"),
        number("sent"),
        number("round.trips"),
        number("workers"),
        number("batch"));
  }

  static Path path(String name) {
    return Path.of(value(name)).toAbsolutePath().normalize();
  }

  static String value(String name) {
    String value = System.getProperty("bench." + name, "");
    if (value.isEmpty()) {
      throw new IllegalStateException(
          "Run this through Maven, see docs/benchmarks.md: bench." + name + " is missing");
    }
    return value;
  }

  private static int number(String name) {
    return Integer.parseInt(value(name));
  }
}
