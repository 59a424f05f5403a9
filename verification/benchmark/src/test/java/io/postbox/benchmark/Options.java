package io.postbox.benchmark;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of the benchmarks, from the build; see the POM and docs/benchmarks.md.
 *
 * @param work where everything may lie
 * @param messages in a drain
 * @param backlog in the one large drain
 * @param destinations of the drain over many of them, three messages each
 * @param peerMessages in a drain that peers take part in
 * @param repetitions of each measurement
 * @param sent rows that are kept, where that is measured
 * @param dead letters, and dead rows, where that is measured
 * @param waiting messages that are not to be sent, where that is measured
 * @param roundTrips of each kind
 * @param transactions of each kind, for the cost of an enqueue
 * @param warmUp of each kind or way before anything counts, where one at a time is measured
 * @param threads of the floors, to choose the best from
 * @param batches of the floors, to choose the best from
 * @param workers of the relays that are compared by that
 * @param relay the keys of the relay that were given; all others have their defaults
 * @param profiled whether the servers write recordings of Java Flight Recorder
 */
record Options(
    Path work,
    int messages,
    int backlog,
    int destinations,
    int peerMessages,
    int repetitions,
    int sent,
    int dead,
    int waiting,
    int roundTrips,
    int transactions,
    int warmUp,
    List<Integer> threads,
    List<Integer> batches,
    List<Integer> workers,
    Map<String, String> relay,
    boolean profiled) {

  static Options read() {
    return new Options(
        path("work"),
        number("messages"),
        number("backlog"),
        number("destinations"),
        number("peer.messages"),
        number("repetitions"),
        number("sent"),
        number("dead"),
        number("waiting"),
        number("round.trips"),
        number("transactions"),
        number("warm.up"),
        numbers("grid.threads"),
        numbers("grid.batches"),
        numbers("grid.workers"),
        given(Map.of("workers", Server.WORKERS, "batch", Server.BATCH_SIZE)),
        !value("profile").equals("none"));
  }

  /** The folder of the reports. */
  Path reports() {
    return work.resolve("benchmarks");
  }

  /** Which settings the relay has, in words. */
  String settings() {
    return relay.isEmpty() ? "default settings" : "default settings but for " + relay;
  }

  /** Every thread count of the floors with every batch. */
  List<Load> grid() {
    return threads.stream()
        .flatMap(count -> batches.stream().map(batch -> new Load(count, batch)))
        .toList();
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

  static int number(String name) {
    return Integer.parseInt(value(name));
  }

  private static List<Integer> numbers(String name) {
    return Arrays.stream(value(name).split(",", -1)).map(Integer::valueOf).toList();
  }

  private static Map<String, String> given(Map<String, String> keys) {
    Map<String, String> given = new TreeMap<>();
    keys.forEach(
        (option, key) -> {
          if (!value(option).equals("default")) {
            given.put(key, value(option));
          }
        });
    return given;
  }
}
