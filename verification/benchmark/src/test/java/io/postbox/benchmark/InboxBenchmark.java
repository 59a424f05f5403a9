package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Drains of a filled queue by message-driven beans that write one row for each message: with the
 * inbox and without, in each mode of the transaction. The same beans run in a server whose database
 * takes part in two phases, and in one where it is the last resource; both run all the time, and
 * are measured in turns: every other round begins at the end. A drain ends when each message has
 * its effect, also where it is captured first.
 */
class InboxBenchmark {
  private static final String BARE_XA = "bare MDB, XA";
  static final String BARE_ONE_PHASE = "bare MDB, last resource";
  private static final String ONCE_MORE = "bare MDB, last resource, once more";
  private static final String UNTRANSACTED = "bare MDB, no transaction";
  private static final String JOINED_XA = "@Inbox joined, XA";
  private static final String JOINED_ONE_PHASE = "@Inbox joined, last resource";
  static final String OWN = "@Inbox in its own transaction";
  static final String CAPTURED = "@Inbox captures, its workers handle";
  private static final String RATE = "%.0f";
  private static final String RATIO = "%.2f";
  private static final int WARM_UPS = 3;

  private final Options options = Options.read();
  private final InboxOptions inbox = InboxOptions.read();
  private final Measurements measured = new Measurements();

  /** One row of the report: a listener of a server, and how many ids it remembers. */
  private record Case(String name, InboxServer server, Listener listener, boolean manyIds) {
    Case(String name, InboxServer server, Listener listener) {
      this(name, server, listener, false);
    }
  }

  @Test
  void inbox() throws Exception {
    Report report =
        new Report(
            "inbox",
            String.format(
                Locale.ROOT, "Drains of %,d messages by message-driven beans", inbox.messages()));
    report.say(
        String.format(
            Locale.ROOT,
            "- %s deliveries at once; %,d remembered ids, or %,d; %s rounds after a warm-up",
            inbox.sessions(),
            InboxOptions.FEW_IDS,
            inbox.ids(),
            options.repetitions()));
    try (Stage stage = Stage.withStatementCounts(options);
        InboxServer xa = InboxServer.xa(stage, "inbox_xa", inbox.sessions());
        InboxServer onePhase = InboxServer.onePhase(stage, "inbox_one_phase", inbox.sessions())) {
      List<Case> cases =
          List.of(
              new Case(BARE_XA, xa, Listener.BARE),
              new Case(JOINED_XA, xa, Listener.JOINED),
              new Case(BARE_ONE_PHASE, onePhase, Listener.BARE),
              new Case(JOINED_ONE_PHASE, onePhase, Listener.JOINED),
              new Case(ONCE_MORE, onePhase, Listener.BARE),
              new Case(UNTRANSACTED, onePhase, Listener.UNTRANSACTED),
              new Case(OWN, onePhase, Listener.OWN),
              new Case(CAPTURED, onePhase, Listener.CAPTURED),
              new Case(remembering(inbox.ids()), onePhase, Listener.OWN, true));
      onePhase.drain(Listener.OWN, inbox.messages());
      onePhase.rememberAside(Listener.OWN, inbox.ids());
      for (int i = 0; i < WARM_UPS; i++) {
        for (Case each : cases) {
          drain(each);
        }
      }
      List<Case> backwards = new ArrayList<>(cases);
      Collections.reverse(backwards);
      for (int i = 0; i < options.repetitions(); i++) {
        for (Case each : i % 2 == 0 ? cases : backwards) {
          measured.measure(each.name(), () -> drain(each));
        }
      }
      InboxLatency latency = new InboxLatency(options);
      latency.measure(onePhase);
      report.beginTable("messages per second");
      measured.tell(report, RATE);
      tellRatios(report);
      tellCounts(report, cases);
      latency.tell(report);
    }
    report.write(options.reports());
  }

  private double drain(Case each) throws Exception {
    if (each.manyIds()) {
      return each.server().drainAside(each.listener(), inbox.messages());
    }
    each.server().forget(each.listener(), InboxOptions.FEW_IDS);
    return each.server().drain(each.listener(), inbox.messages());
  }

  private void tellRatios(Report report) {
    report.beginTable("ratio, round by round");
    ratio(report, OWN, BARE_XA);
    ratio(report, OWN, UNTRANSACTED);
    ratio(report, CAPTURED, OWN);
    ratio(report, JOINED_XA, BARE_XA);
    ratio(report, JOINED_ONE_PHASE, BARE_ONE_PHASE);
    ratio(report, remembering(inbox.ids()), OWN);
    ratio(report, ONCE_MORE, BARE_ONE_PHASE);
  }

  private void ratio(Report report, String what, String of) {
    report.row(what + " / " + of, measured.of(what).over(measured.of(of)), RATIO);
  }

  /** Each in one more drain. */
  private void tellCounts(Report report, List<Case> cases) throws Exception {
    Map<String, StatementCounts> counts = new LinkedHashMap<>();
    for (Case each : cases) {
      counts.put(
          each.name(),
          StatementCounts.count(each.server().database(), inbox.messages(), () -> drain(each)));
    }
    tell(report, "statements per message", counts, StatementCounts::statements);
    tell(report, "transactions per message", counts, StatementCounts::transactions);
    tell(report, "prepares per message", counts, StatementCounts::prepares);
  }

  private static void tell(
      Report report,
      String unit,
      Map<String, StatementCounts> counts,
      ToDoubleFunction<StatementCounts> count) {
    report.beginTable(unit);
    counts.forEach(
        (name, each) -> report.row(name, new Figures(List.of(count.applyAsDouble(each))), RATIO));
  }

  private static String remembering(int ids) {
    return String.format(Locale.ROOT, "%s, %,d remembered ids", OWN, ids);
  }
}
