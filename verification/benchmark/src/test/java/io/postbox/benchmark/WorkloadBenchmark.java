package io.postbox.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Drains of the relay with default settings over what a backlog may look like, and by the number of
 * workers. Each number of workers has a server and a database of its own; all run all the time, and
 * are measured in turns.
 */
class WorkloadBenchmark {
  private static final String ORDERED = "ordered, ten messages a key";
  private static final String UNORDERED = "unordered";
  private static final String HOT = "one hot key";
  private static final String FAILING = "ordered, one key in ten fails";
  private static final String NODES = "ordered, two nodes on one database";
  private static final String EMBEDDED = "ordered, H2 and messaging embedded in the server";
  private static final String PLAIN = "plain JMS, embedded, one thread, 500 in a transaction";
  private static final String RATE = "%.0f";

  private final Options options = Options.read();
  private final Measurements measured = new Measurements();

  @Test
  void workloads() throws Exception {
    Report report =
        new Report(
            "workloads", String.format(Locale.ROOT, "Drains of %,d messages", options.messages()));
    report.say(
        "- %s; %s rounds after a warm-up".formatted(options.settings(), options.repetitions()));
    try (Stage stage = new Stage(options);
        Relay relay = stage.relay("defaults", Map.of());
        Relay nodes = stage.twoNodes("nodes")) {
      relay.warmUp(options.messages());
      nodes.warmUp(options.messages());
      for (int i = 0; i < options.repetitions(); i++) {
        measure(ORDERED, relay, Keys.TEN_EACH);
        measure(UNORDERED, relay, Keys.NONE);
        measure(HOT, relay, Keys.ONE);
        measure(FAILING, relay, Keys.FAILING_TENTH);
        measure(NODES, nodes, Keys.TEN_EACH);
      }
      destinations(stage);
      embedded(stage);
    }
    report.beginTable("messages per second");
    measured.tell(report, RATE);
    report.beginTable("ratio, round by round");
    for (String what : List.of(UNORDERED, HOT, FAILING, NODES)) {
      ratio(report, what, ORDERED);
    }
    ratio(report, EMBEDDED, PLAIN);
    report.write(options.reports());
  }

  @Test
  void workers() throws Exception {
    Report report =
        new Report(
            "workers",
            String.format(Locale.ROOT, "Drains of %,d messages by workers", options.messages()));
    Map<Integer, Relay> relays = new LinkedHashMap<>();
    try (Stage stage = new Stage(options)) {
      try {
        for (int workers : options.workers()) {
          Map<String, String> keys = Map.of(Server.WORKERS, String.valueOf(workers));
          relays.put(workers, stage.relay("workers" + workers, keys));
        }
        measure(stage, relays);
      } finally {
        relays.values().forEach(Relay::close);
      }
    }
    report.beginTable("messages per second");
    measured.tell(report, RATE);
    report.plot(
        "throughput",
        new Plot(
            "Throughput by workers",
            "workers or threads",
            "messages per second",
            options.workers().stream().map(String::valueOf).toList(),
            List.of(line("relay"), line("both, chained"), line("side by side, uncoupled"))));
    report.write(options.reports());
  }

  private void measure(Stage stage, Map<Integer, Relay> relays) throws Exception {
    Table table = Table.floor(relays.get(options.workers().get(0)).table().database());
    Floors floors = new Floors(stage.broker(), table, options.messages());
    int batch = options.batches().get(0);
    for (Relay relay : relays.values()) {
      relay.warmUp(options.messages());
    }
    for (int i = 0; i < options.repetitions(); i++) {
      for (int workers : options.workers()) {
        Load load = new Load(workers, batch);
        measured.measure(
            name("relay", workers),
            () -> relays.get(workers).drain(Keys.TEN_EACH, options.messages()));
        measured.measure(name("both, chained", workers), () -> floors.chained(load));
        measured.measure(name("side by side, uncoupled", workers), () -> floors.sideBySide(load));
      }
    }
  }

  private static String name(String what, int workers) {
    return what + ", " + workers;
  }

  private Plot.Line line(String what) {
    return new Plot.Line(
        what,
        options.workers().stream()
            .map(workers -> measured.of(name(what, workers)).median())
            .toList());
  }

  private void measure(String what, Relay relay, Keys keys) throws Exception {
    measured.measure(what, () -> relay.drain(keys, options.messages()));
  }

  private void ratio(Report report, String one, String other) {
    Figures ratio = measured.of(one).over(measured.of(other));
    report.row(one + " / " + other, ratio, "%.2f");
  }

  /** From commit to an empty table, since only the server itself sees what is in it. */
  private void embedded(Stage stage) throws Exception {
    try (Server server = stage.embedded("embedded")) {
      for (int i = 0; i < Relay.WARM_UPS; i++) {
        embedded(server, 0);
      }
      for (int i = 0; i < options.repetitions(); i++) {
        measured.measure(EMBEDDED, () -> embedded(server, 0));
        measured.measure(PLAIN, () -> embedded(server, 500));
      }
    }
  }

  private double embedded(Server server, int batch) throws Exception {
    String nanos = server.post("/embedded?count=%s&batch=%s".formatted(options.messages(), batch));
    return options.messages() / (Long.parseLong(nanos) / 1e9);
  }

  /** As many logical names for one queue: a name is a lane in each partition, whatever it means. */
  private void destinations(Stage stage) throws Exception {
    Map<String, String> names = new TreeMap<>();
    IntStream.range(0, options.destinations())
        .forEach(
            i -> names.put("postbox.outbox.destination.d%s.jndi-name".formatted(i), "jms/drain"));
    try (Relay relay = stage.relay("destinations", names)) {
      relay.warmUp(options.messages());
      String what =
          String.format(
              Locale.ROOT, "%,d destinations, three messages each", options.destinations());
      for (int i = 0; i < options.repetitions(); i++) {
        measured.measure(what, () -> relay.drainDestinations(options.destinations()));
      }
    }
  }
}
