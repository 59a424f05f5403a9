package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long a message takes from being sent until its handler has written its effect, one at a time:
 * handled when it is delivered, and captured first.
 */
final class InboxLatency {
  private static final int BLOCK = 50;
  private static final int GAP_MILLIS = 10;
  private static final String MICROS = "%.0f";

  private final Options options;
  private final Map<Listener, List<Double>> micros = new EnumMap<>(Listener.class);

  InboxLatency(Options options) {
    this.options = options;
    for (Listener listener : List.of(Listener.BARE, Listener.OWN, Listener.CAPTURED)) {
      micros.put(listener, new ArrayList<>());
    }
  }

  /** Measures in turns, in a server that is warm. */
  void measure(InboxServer server) throws Exception {
    for (int done = 0; done < options.roundTrips(); done += BLOCK) {
      for (Map.Entry<Listener, List<Double>> each : micros.entrySet()) {
        each.getValue().addAll(server.untilHandled(each.getKey(), BLOCK, GAP_MILLIS));
      }
    }
  }

  void tell(Report report) {
    report.say("");
    report.say(
        "One message at a time, %s of each, in turns of %s, %s ms apart, from sending it until its effect is written:"
            .formatted(options.roundTrips(), BLOCK, GAP_MILLIS));
    report.beginTable("microseconds");
    micros.forEach(
        (listener, each) -> report.row("latency, " + name(listener), new Figures(each), MICROS));
    report.beginTable("ratio of the percentiles");
    for (double part : List.of(0.5, 0.99)) {
      ratio(report, part, Listener.OWN, Listener.BARE);
      ratio(report, part, Listener.CAPTURED, Listener.OWN);
    }
  }

  private void ratio(Report report, double part, Listener what, Listener of) {
    double ratio =
        new Figures(micros.get(what)).quantile(part) / new Figures(micros.get(of)).quantile(part);
    report.row(
        String.format(Locale.ROOT, "p%.0f: %s / %s", 100 * part, name(what), name(of)),
        new Figures(List.of(ratio)),
        "%.2f");
  }

  private static String name(Listener listener) {
    return switch (listener) {
      case BARE -> InboxBenchmark.BARE_ONE_PHASE;
      case OWN -> InboxBenchmark.OWN;
      default -> InboxBenchmark.CAPTURED;
    };
  }
}
