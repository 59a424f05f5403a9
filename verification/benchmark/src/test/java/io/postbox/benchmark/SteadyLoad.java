package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Messages at a steady rate, each in a transaction of its own, through the outbox and by plain JMS
 * in turns: at half of what one server with its relay and listener can do at most, that is business
 * transactions of one message each as quickly as the threads can, until all are in onMessage.
 */
final class SteadyLoad {
  private static final int THREADS = 8;
  private static final int ROUNDS = 4;

  private final int warmUp;
  private final int perRound;
  private final List<Double> capacities = new ArrayList<>();
  private final List<Double> outbox = new ArrayList<>();
  private final List<Double> plain = new ArrayList<>();

  /**
   * @param options ten times their round trips are sent each way
   */
  SteadyLoad(Options options) {
    warmUp = options.warmUp();
    perRound = 10 * options.roundTrips() / ROUNDS;
  }

  void measure(Server server) throws Exception {
    post(server, "outbox", warmUp, 0);
    post(server, "plain", warmUp, 0);
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      post(server, "outbox", perRound, 0);
      capacities.add(perRound / ((System.nanoTime() - start) / 1e9));
    }
    for (int i = 0; i < ROUNDS; i++) {
      outbox.addAll(post(server, "outbox", perRound, half()));
      plain.addAll(post(server, "plain", perRound, half()));
    }
  }

  void tell(Report report) {
    report.beginTable("messages per second");
    report.row("most that the server can do", new Figures(capacities), "%.0f");
    report.say("");
    report.say(
        String.format(
            Locale.ROOT,
            "At half of that, %.0f a second, %s messages each way:",
            half(),
            outbox.size()));
    LatencyBenchmark.tell(
        report, "half-load", ", at half load", new Figures(outbox), new Figures(plain));
  }

  private double half() {
    return new Figures(capacities).median() / 2;
  }

  private static List<Double> post(Server server, String way, int count, double rate)
      throws Exception {
    return server
        .post(
            "/load?way=%s&count=%s&lead=%s&rate=%s&threads=%s"
                .formatted(way, count, (int) rate, rate, THREADS))
        .lines()
        .map(nanos -> Long.parseLong(nanos) / 1e3)
        .toList();
  }
}
