package io.postbox.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.benchmark.Grid.Floor;
import java.sql.Connection;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A full drain: messages that are there already go to the broker as quickly as the relay of one
 * server can, beside the same in plain Java at its best. Measured in turns, since no machine is
 * quiet.
 */
class DrainBenchmark {
  private static final String SEND = "JMS send alone";
  private static final String DELETE = "claim and delete alone";
  private static final String UNCOUPLED = "side by side, uncoupled";
  private static final String CHAINED = "both, chained";
  private static final String CHAINED_ALIKE = "both, chained, as many sessions as the relay";
  private static final String RELAY = "relay";
  private static final String AGAIN = "relay, once more (A/A)";
  private static final String SNAPSHOT = "relay, with an old snapshot open";
  private static final String WRITER = "relay, with an old writer idle";
  private static final String CHAINED_AGAIN = "both, chained, again";
  private static final String SENT = "relay, with sent rows";
  private static final String BEHIND = "relay, one drain after the other behind one snapshot";
  private static final String WRITES = "UPDATE floor_partition SET put_back = 1;";
  private static final String RATE = "%.0f";
  private static final String RATIO = "%.2f";

  private final Options options = Options.read();
  private final Measurements limits = new Measurements();
  private final Measurements measured = new Measurements();
  private final Grid grid = new Grid();
  private final Map<String, Load> best = new LinkedHashMap<>();

  @Test
  void drain() throws Exception {
    Report report =
        new Report(
            "drain",
            String.format(
                Locale.ROOT, "A full drain of %,d messages of 512 bytes", options.messages()));
    report.say(
        "- the relay with %s; %s partitions; %s rounds after a warm-up"
            .formatted(options.settings(), Table.PARTITIONS, options.repetitions()));
    List<Double> tenths;
    try (Stage stage = new Stage(options);
        Relay relay = stage.relay("drain", Map.of())) {
      Database database = relay.table().database();
      Floors floors = new Floors(stage.broker(), Table.floor(database), options.messages());
      int claims = warmUp(relay, floors, stage.broker());
      report.say("- the relay had up to %s claims at the same time".formatted(claims));
      choose(floors, claims);
      Callable<Double> drain = () -> relay.drain(Keys.TEN_EACH, options.messages());
      for (int i = 0; i < options.repetitions(); i++) {
        limits.measure(
            "synchronised writes of 4 KiB", () -> Disk.synchronisedWrites(options.work()));
        limits.measure("PostgreSQL commits of one row", () -> Disk.commits(database));
        measure(SEND, floors::sendAlone);
        measure(DELETE, floors::deleteAlone);
        measure(UNCOUPLED, floors::sideBySide);
        measure(CHAINED, floors::chained);
        measure(CHAINED_ALIKE, floors::chained);
        measured.measure(RELAY, drain);
        measured.measure(AGAIN, drain);
        measured.measure(SNAPSHOT, () -> behindIdle(database, "", drain));
        measured.measure(WRITER, () -> behindIdle(database, WRITES, drain));
      }
      relay.keep(options.sent());
      for (int i = 0; i < options.repetitions(); i++) {
        measured.measure(CHAINED_AGAIN, () -> floors.chained(best.get(CHAINED)));
        measured.measure(SENT, drain);
      }
      behindIdle(database, "", () -> repeatedly(drain));
      tenths = relay.tenths(options.backlog());
    }
    tell(report);
    plot(report, tenths);
    report.write(options.reports());
  }

  /** Answers how many claims the relay has, and shows that the floors send what the relay sends. */
  private int warmUp(Relay relay, Floors floors, Broker broker) throws Exception {
    relay.warmUp(options.messages());
    floors.sendOne();
    assertThat(broker.properties(Broker.FLOOR)).isEqualTo(relay.properties());
    broker.empty(Broker.FLOOR);
    floors.chained(options.grid().get(0));
    return relay.claimsAtOnce(options.messages());
  }

  private void choose(Floors floors, int claims) throws Exception {
    List<Load> alike = options.batches().stream().map(batch -> new Load(claims, batch)).toList();
    choose(SEND, options.grid(), floors::sendAlone);
    choose(DELETE, options.grid(), floors::deleteAlone);
    choose(UNCOUPLED, options.grid(), floors::sideBySide);
    choose(CHAINED, options.grid(), floors::chained);
    choose(CHAINED_ALIKE, alike, floors::chained);
  }

  private void choose(String what, List<Load> loads, Floor floor) throws Exception {
    best.put(what, grid.best(what, loads, floor));
  }

  private void measure(String what, Floor floor) throws Exception {
    measured.measure(what, () -> floor.measure(best.get(what)));
  }

  private double repeatedly(Callable<Double> drain) throws Exception {
    for (int i = 0; i < options.repetitions(); i++) {
      measured.measure(BEHIND, drain);
    }
    return 0;
  }

  /** While a transaction is open that has looked at the database, and done something, before. */
  private static double behindIdle(Database database, String done, Callable<Double> drain)
      throws Exception {
    try (Connection idle = database.connect();
        Statement statement = idle.createStatement()) {
      idle.setAutoCommit(false);
      idle.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute(done + "SELECT COUNT(*) FROM outbox_partition");
      double rate = drain.call();
      idle.rollback();
      return rate;
    }
  }

  private void tell(Report report) {
    report.beginTable("messages per second");
    measured.tell(report, RATE);
    report.beginTable("ratio, round by round");
    ratio(report, "relay / side by side, uncoupled", RELAY, UNCOUPLED);
    ratio(report, "relay / both, chained", RELAY, CHAINED);
    ratio(report, "relay / both, chained, as many sessions as the relay", RELAY, CHAINED_ALIKE);
    ratio(report, "relay / JMS send alone", RELAY, SEND);
    ratio(report, "relay once more / relay (A/A: the noise)", AGAIN, RELAY);
    ratio(report, "old snapshot / none", SNAPSHOT, RELAY);
    ratio(report, "old writer / none", WRITER, RELAY);
    ratio(
        report,
        String.format(
            Locale.ROOT, "relay with %,d sent rows / both, chained, again", options.sent()),
        SENT,
        CHAINED_AGAIN);
    double median = measured.of(RELAY).median();
    report.row(
        "one after the other behind one snapshot / median without",
        new Figures(measured.of(BEHIND).values().stream().map(each -> each / median).toList()),
        RATIO);
    report.beginTable("limits of this disk, per second");
    limits.tell(report, RATE);
    report.beginTable("messages per second, threads × batch, each tried once");
    grid.tried().tell(report, RATE);
    report.say("");
    report.say("Of these the best, by threads × batch; each thread of a floor has one JMS");
    report.say("session, one database connection, or one of each; of those that run side by side,");
    report.say("so many have the one and as many the other:");
    report.say("");
    best.forEach((what, load) -> report.say("- %s: %s".formatted(what, load)));
  }

  private void ratio(Report report, String what, String one, String other) {
    report.row(what, measured.of(one).over(measured.of(other)), RATIO);
  }

  private void plot(Report report, List<Double> tenths) {
    report.beginTable("messages per second, each tenth of a drain");
    report.row(
        String.format(Locale.ROOT, "relay, %,d waiting", options.backlog()),
        new Figures(tenths),
        RATE);
    report.beginTable("ratio");
    report.row(
        String.format(Locale.ROOT, "first tenth / last, %,d waiting", options.backlog()),
        new Figures(List.of(tenths.get(0) / tenths.get(tenths.size() - 1))),
        RATIO);
    report.plot(
        "backlog",
        new Plot(
            "Rate over backlog",
            "messages still waiting",
            "messages per second",
            IntStream.range(0, tenths.size())
                .mapToObj(
                    i ->
                        String.format(
                            Locale.ROOT, "%,d", options.backlog() / tenths.size() * (10 - i)))
                .toList(),
            List.of(new Plot.Line(RELAY, tenths))));
    report.plot(
        "floors",
        new Plot(
            "Floors by threads, each at its best batch",
            "threads",
            "messages per second",
            options.threads().stream().map(String::valueOf).toList(),
            List.of(byThreads(SEND), byThreads(DELETE), byThreads(UNCOUPLED), byThreads(CHAINED))));
  }

  private Plot.Line byThreads(String floor) {
    return new Plot.Line(
        floor,
        options.threads().stream()
            .map(
                threads ->
                    options.batches().stream()
                        .map(batch -> floor + ", " + new Load(threads, batch))
                        .mapToDouble(tried -> grid.tried().of(tried).median())
                        .max()
                        .orElseThrow())
            .toList());
  }
}
