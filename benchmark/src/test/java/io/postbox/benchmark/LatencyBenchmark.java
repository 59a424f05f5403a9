package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

  private final Options options = Options.read();

  @ParameterizedTest
  @ValueSource(strings = {"artemis", "messaging"})
  void latency(String messaging) throws Exception {
    Report report =
        new Report(
            "latency-" + messaging,
            "From commit to onMessage, "
                + (messaging.equals("artemis") ? "Artemis" : "Liberty's embedded messaging"));
    report.say(
        "- %d messages of 512 bytes each way, in turns of %d, one at a time, %d ms apart"
            .formatted(options.roundTrips(), BLOCK, GAP_MILLIS));
    try (Postgres postgres = new Postgres();
        Broker broker = new Broker(options.work());
        Server server = server(messaging, postgres, broker)) {
      List<Double> outbox = new ArrayList<>();
      List<Double> plain = new ArrayList<>();
      rounds(server, options.roundTrips() / 2, new ArrayList<>(), new ArrayList<>());
      rounds(server, options.roundTrips(), outbox, plain);
      tell(report, new Figures(outbox), new Figures(plain));
    }
    report.write(options.work().resolve("benchmarks"));
  }

  private Server server(String messaging, Postgres postgres, Broker broker) throws Exception {
    Map<String, String> variables = new HashMap<>(postgres.variables());
    variables.putAll(broker.variables());
    variables.put("postbox.messaging", messaging);
    variables.put("bench.workers", String.valueOf(options.workers()));
    variables.put("bench.batch", String.valueOf(options.batch()));
    return new Server(options.work().resolve("latency-" + messaging), variables);
  }

  private static void rounds(Server server, int count, List<Double> outbox, List<Double> plain)
      throws Exception {
    for (int done = 0; done < count; done += BLOCK) {
      outbox.addAll(micros(server, "outbox"));
      plain.addAll(micros(server, "plain"));
    }
  }

  private static List<Double> micros(Server server, String way) throws Exception {
    return server
        .post("/latency?way=%s&count=%d&gap=%d".formatted(way, BLOCK, GAP_MILLIS))
        .lines()
        .map(nanos -> Long.parseLong(nanos) / 1e3)
        .toList();
  }

  private static void tell(Report report, Figures outbox, Figures plain) {
    report.beginTable("microseconds");
    report.row("outbox, commit to onMessage", outbox, MICROS);
    report.row("plain JMS, send to onMessage", plain, MICROS);
    report.say("");
    report.say(
        "99th percentile: outbox %.0f, plain JMS %.0f microseconds"
            .formatted(outbox.quantile(0.99), plain.quantile(0.99)));
    report.say(
        "Ratio of the medians (at most 3): %.2f".formatted(outbox.median() / plain.median()));
  }
}
