package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How long a message takes from the commit of its transaction until it is in onMessage, one at a
 * time, beside a message sent by plain JMS in the same server to the same bean.
 */
class LatencyBenchmark {
  private static final int BLOCK = 50;
  private static final int GAP_MILLIS = 10;

  private static final String MICROS = "%.0f";
  private static final List<Double> PERCENTILES = List.of(10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0);

  private final Options options = Options.read();

  @ParameterizedTest
  @ValueSource(strings = {"artemis", "messaging"})
  void latency(String messaging) throws Exception {
    Report report =
        new Report(
            "latency-" + messaging,
            "From commit to onMessage, "
                + (messaging.equals(Stage.ARTEMIS) ? "Artemis" : "Liberty's embedded messaging"));
    report.say(
        "- %s messages of 512 bytes each way, in turns of %s, one at a time, %s ms apart, after %s to warm up"
            .formatted(options.roundTrips(), BLOCK, GAP_MILLIS, options.warmUp()));
    List<Double> outbox = new ArrayList<>();
    List<Double> plain = new ArrayList<>();
    SteadyLoad load = new SteadyLoad(options);
    try (Stage stage = new Stage(options);
        Server server = stage.server(stage.database("latency_" + messaging), messaging, Map.of())) {
      rounds(server, options.warmUp(), 0, new ArrayList<>(), new ArrayList<>());
      rounds(server, options.roundTrips(), GAP_MILLIS, outbox, plain);
      load.measure(server);
    }
    tell(report, "percentiles", "", new Figures(outbox), new Figures(plain));
    load.tell(report);
    report.write(options.reports());
  }

  private static void rounds(
      Server server, int count, int gap, List<Double> outbox, List<Double> plain) throws Exception {
    for (int done = 0; done < count; done += BLOCK) {
      outbox.addAll(micros(server, "outbox", gap));
      plain.addAll(micros(server, "plain", gap));
    }
  }

  private static List<Double> micros(Server server, String way, int gap) throws Exception {
    return server
        .post("/latency?way=%s&count=%s&gap=%s".formatted(way, BLOCK, gap))
        .lines()
        .map(nanos -> Long.parseLong(nanos) / 1e3)
        .toList();
  }

  /** Also of messages at a steady load. */
  static void tell(Report report, String plot, String when, Figures outbox, Figures plain) {
    report.beginTable("microseconds");
    report.row("outbox, commit to onMessage" + when, outbox, MICROS);
    report.row("plain JMS, send to onMessage" + when, plain, MICROS);
    report.say("");
    report.say(
        String.format(
            Locale.ROOT,
            "99th percentile: outbox %.0f, plain JMS %.0f microseconds",
            outbox.quantile(0.99),
            plain.quantile(0.99)));
    report.beginTable("ratio of the percentiles");
    for (double part : List.of(0.5, 0.99)) {
      report.row(
          String.format(Locale.ROOT, "p%.0f: outbox / plain JMS%s", 100 * part, when),
          new Figures(List.of(outbox.quantile(part) / plain.quantile(part))),
          "%.2f");
    }
    report.plot(
        plot,
        new Plot(
            "From commit to onMessage" + when,
            "percentile",
            "milliseconds",
            PERCENTILES.stream().map(part -> String.format(Locale.ROOT, "p%.0f", part)).toList(),
            List.of(line("outbox", outbox), line("plain JMS", plain))));
  }

  private static Plot.Line line(String name, Figures micros) {
    return new Plot.Line(
        name, PERCENTILES.stream().map(it -> micros.quantile(it / 100) / 1e3).toList());
  }
}
