package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much longer a business transaction takes that enqueues: an update and an insert by JPA with a
 * durable commit, without a message, with one, and with ten in one call; in turns, in one server,
 * while its relay sends them and without one.
 */
class EnqueueBenchmark {
  private static final int BLOCK = 50;
  private static final int GAP_MILLIS = 5;

  private static final String MICROS = "%.0f";

  private final Options options = Options.read();

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void enqueue(String relayed) throws Exception {
    boolean relaying = Boolean.parseBoolean(relayed);
    Report report =
        new Report(
            relaying ? "enqueue" : "enqueue-without-relay",
            "A business transaction, " + (relaying ? "the relay at work" : "without a relay"));
    report.say(
        "- %s of each kind, in turns of %s, one at a time, %s ms apart, after %s to warm up"
            .formatted(options.transactions(), BLOCK, GAP_MILLIS, options.warmUp()));
    Map<Integer, List<Double>> micros = new LinkedHashMap<>();
    List.of(0, 1, 10).forEach(messages -> micros.put(messages, new ArrayList<>()));
    try (Stage stage = new Stage(options);
        Server server = server(stage, relayed)) {
      measure(server, options.warmUp(), 0, micros);
      micros.values().forEach(List::clear);
      measure(server, options.transactions(), GAP_MILLIS, micros);
    }
    report.beginTable("microseconds");
    micros.forEach((messages, each) -> report.row(name(messages), new Figures(each), MICROS));
    report.beginTable("ratio of the medians");
    Figures bare = new Figures(micros.get(0));
    for (int messages : List.of(1, 10)) {
      double ratio = new Figures(micros.get(messages)).median() / bare.median();
      report.row(name(messages) + " / " + name(0), new Figures(List.of(ratio)), "%.2f");
    }
    report.write(options.reports());
  }

  private static String name(int messages) {
    return switch (messages) {
      case 0 -> "without a message";
      case 1 -> "with one message";
      default -> "with %s messages in one call".formatted(messages);
    };
  }

  private static Server server(Stage stage, String relayed) throws Exception {
    Database database =
        stage.database(relayed.equals("true") ? "enqueue" : "enqueue_without_relay");
    database.execute(
        """
        CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL);
        INSERT INTO account VALUES (1, 0);
        CREATE TABLE booking (id VARCHAR(36) PRIMARY KEY, account BIGINT, balance BIGINT)
        """);
    return stage.server(database, Stage.ARTEMIS, Map.of("postbox.outbox.relay.enabled", relayed));
  }

  private static void measure(Server server, int count, int gap, Map<Integer, List<Double>> micros)
      throws Exception {
    for (int done = 0; done < count; done += BLOCK) {
      for (Map.Entry<Integer, List<Double>> each : micros.entrySet()) {
        server
            .post("/business?messages=%s&count=%s&gap=%s".formatted(each.getKey(), BLOCK, gap))
            .lines()
            .map(nanos -> Long.parseLong(nanos) / 1e3)
            .forEach(each.getValue()::add);
      }
    }
  }
}
