package io.postbox.benchmark;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A full drain: messages that are there already go to the broker as quickly as the relay of one
 * server can, beside the same in plain Java. Measured in turns, since no machine is quiet.
 */
class DrainBenchmark {
  /** So many that no lane is without one. */
  private static final int WAKING = 500;

  private static final String WRITES = "UPDATE floor_partition SET put_back = 1;";
  private static final String RATE = "%.0f";
  private static final String RATIO = "%.2f";

  private final Options options = Options.read();
  private final Map<String, List<Double>> measured = new LinkedHashMap<>();

  @Test
  void drain() throws Exception {
    Report report =
        new Report(
            "drain", "A full drain of %,d messages of 512 bytes".formatted(options.messages()));
    report.say(
        "- batches of %d, %d workers or threads, %d partitions, %d rounds after a warm-up"
            .formatted(
                options.batch(), options.workers(), Table.PARTITIONS, options.repetitions()));
    try (Postgres postgres = new Postgres();
        Broker broker = new Broker(options.work());
        Server server = server(postgres, broker)) {
      RawThroughput floors = new RawThroughput(options, postgres, broker, Table.floor(postgres));
      Callable<Double> relay = () -> relay(postgres, broker, server);
      for (int i = 0; i < 3; i++) {
        relay.call();
      }
      floors.chained();
      for (int i = 0; i < options.repetitions(); i++) {
        measure("JMS send alone", floors::sendOnly);
        measure("claim and delete alone", floors::deleteOnly);
        measure("both, chained", floors::chained);
        measure("relay", relay);
        measure("relay, with an old snapshot open", () -> behindIdle(postgres, "", relay));
        measure("relay, with an old writer idle", () -> behindIdle(postgres, WRITES, relay));
      }
      Table.OUTBOX.fill(postgres, options.sent(), "SENT");
      Table.OUTBOX.clean(postgres);
      for (int i = 0; i < options.repetitions(); i++) {
        measure("both, chained, again", floors::chained);
        measure("relay, with %,d sent rows".formatted(options.sent()), relay);
      }
      behindIdle(postgres, "", () -> repeatedly(relay));
    }
    tell(report);
    report.write(options.work().resolve("benchmarks"));
  }

  private Server server(Postgres postgres, Broker broker) throws Exception {
    Map<String, String> variables = new HashMap<>(postgres.variables());
    variables.putAll(broker.variables());
    variables.put("postbox.messaging", "artemis");
    variables.put("bench.workers", String.valueOf(options.workers()));
    variables.put("bench.batch", String.valueOf(options.batch()));
    return new Server(options.work().resolve("drain"), variables);
  }

  private void measure(String what, Callable<Double> measurement) throws Exception {
    double value = measurement.call();
    System.out.printf("%s: %.0f per second%n", what, value);
    measured.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
  }

  private double repeatedly(Callable<Double> relay) throws Exception {
    for (int i = 0; i < options.repetitions(); i++) {
      measure("relay, one drain after the other behind one snapshot", relay);
    }
    return 0;
  }

  private double relay(Postgres postgres, Broker broker, Server server) throws Exception {
    Table.OUTBOX.fill(postgres, options.messages());
    long start = System.nanoTime();
    server.post("/wake?count=" + WAKING);
    long all = options.messages() + WAKING;
    while (broker.count(Broker.DRAIN) < all) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    while (!Table.OUTBOX.isEmpty(postgres)) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (broker.count(Broker.DRAIN) != all) {
      throw new IllegalStateException(broker.count(Broker.DRAIN) + " messages of " + all);
    }
    broker.empty(Broker.DRAIN);
    Table.OUTBOX.clean(postgres);
    return all / seconds;
  }

  /** While a transaction is open that has looked at the database, and done something, before. */
  private static double behindIdle(Postgres postgres, String done, Callable<Double> relay)
      throws Exception {
    try (Connection idle = postgres.connect();
        Statement statement = idle.createStatement()) {
      idle.setAutoCommit(false);
      idle.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute(done + "SELECT COUNT(*) FROM outbox_partition");
      double rate = relay.call();
      idle.rollback();
      return rate;
    }
  }

  private Figures figures(String what) {
    return new Figures(
        measured.entrySet().stream()
            .filter(it -> it.getKey().startsWith(what))
            .findFirst()
            .orElseThrow()
            .getValue());
  }

  private void tell(Report report) {
    report.beginTable("messages per second");
    measured.forEach((what, values) -> report.row(what, new Figures(values), RATE));
    report.beginTable("ratio, round by round");
    Figures relay = new Figures(measured.get("relay"));
    report.row("relay / both, chained", relay.over(figures("both, chained")), RATIO);
    report.row("relay / JMS send alone", relay.over(figures("JMS send")), RATIO);
    report.row(
        "old snapshot / none (at least 0.8)",
        figures("relay, with an old snapshot").over(relay),
        RATIO);
    report.row("old writer / none", figures("relay, with an old writer").over(relay), RATIO);
    report.row(
        "sent rows / both, chained, again",
        figures("relay, with %,d".formatted(options.sent())).over(figures("both, chained, again")),
        RATIO);
    double best = relay.median();
    report.row(
        "one after the other behind one snapshot / median without",
        new Figures(
            figures("relay, one drain").values().stream().map(each -> each / best).toList()),
        RATIO);
  }
}
