package io.postbox.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Drains while very many other rows lie in the table, in turns with drains of another relay, in
 * whose table there are no others. Both have default settings.
 */
class CrowdBenchmark {
  private final Options options = Options.read();
  private final Measurements measured = new Measurements();
  private final Map<String, List<String>> times = new LinkedHashMap<>();

  @Test
  void crowds() throws Exception {
    Report report =
        new Report(
            "crowds",
            String.format(Locale.ROOT, "Drains of %,d messages beside others", options.messages()));
    report.say(
        "- %s; %s rounds after a warm-up".formatted(options.settings(), options.repetitions()));
    try (Stage stage = Stage.withStatementCounts(options);
        Relay alone = stage.relay("alone", Map.of());
        Relay crowded = stage.relay("crowded", Map.of())) {
      alone.warmUp(options.messages());
      crowded.warmUp(options.messages());
      StatementTimes timesAlone = new StatementTimes(alone.table());
      StatementTimes timesCrowded = new StatementTimes(crowded.table());
      for (Crowd crowd : Crowd.values()) {
        try (Crowd.Gathered rows = crowd.gather(crowded.table(), crowd.size(options))) {
          timesAlone.begin();
          timesCrowded.begin();
          measure(crowd, alone, crowded);
          times.put(with(crowd), timesCrowded.perDrain(options.repetitions()));
          times.put("without, beside: " + with(crowd), timesAlone.perDrain(options.repetitions()));
        }
      }
      measure("once more (A/A)", alone, crowded);
    }
    report.beginTable("messages per second");
    measured.tell(report, "%.0f");
    report.beginTable("ratio, round by round");
    for (Crowd crowd : Crowd.values()) {
      ratio(report, with(crowd));
    }
    ratio(report, "once more (A/A)");
    report.say("");
    report.say("PostgreSQL's time for the relay, per drain (also for what overlaps):");
    times.forEach(
        (what, lines) -> {
          report.say("");
          report.say("| " + what + ": ms | calls | pages | |");
          report.say("| ---: | ---: | ---: | --- |");
          lines.forEach(report::say);
        });
    report.write(options.reports());
  }

  private String with(Crowd crowd) {
    return String.format(Locale.ROOT, "with %,d %s", crowd.size(options), crowd.words());
  }

  private void measure(Crowd crowd, Relay alone, Relay crowded) throws Exception {
    measure(with(crowd), alone, crowded);
  }

  private void measure(String what, Relay alone, Relay crowded) throws Exception {
    // Millions of new rows are still being written, and the broker shares the disk.
    crowded.table().database().execute("CHECKPOINT");
    for (int i = 0; i < options.repetitions(); i++) {
      measured.measure(
          "without, beside: " + what, () -> alone.drain(Keys.TEN_EACH, options.messages()));
      measured.measure(what, () -> crowded.drain(Keys.TEN_EACH, options.messages()));
    }
  }

  private void ratio(Report report, String what) {
    report.row(
        what + " / without",
        measured.of(what).over(measured.of("without, beside: " + what)),
        "%.2f");
  }
}
