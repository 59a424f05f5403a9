package io.postbox.crash.soak;

import io.postbox.crash.campaign.CampaignSettings;
import io.postbox.crash.campaign.Mode;
import io.postbox.crash.campaign.Round;
import io.postbox.crash.faults.BackendFault;
import io.postbox.crash.faults.Fault;
import io.postbox.crash.faults.FaultTiming;
import io.postbox.crash.faults.ServerFault;
import io.postbox.crash.report.Gauge;
import io.postbox.crash.report.Growth;
import io.postbox.crash.report.Report;
import io.postbox.crash.report.RoundResult;
import io.postbox.crash.report.Trend;
import io.postbox.crash.topology.CloseAll;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Hours of steady load with faults that the server has to live through: it is not started again.
 * After each all has to come to rest, and everything that must not grow is read; in the end the
 * checker judges the history. Then the server is started without the campaign's rules, its
 * application is taken out and put in again some times, and the same is read. Of several servers
 * the last one is looked at, and others may be killed.
 */
final class Soak implements AutoCloseable {
  private static final int CLIENTS = 2;
  private static final int MOST_ROUNDS_OF_A_SHORT_ONE = 24;
  private static final int FEWEST_ROUNDS = 12;

  /** After so many rounds the first list of what is on the heap is written, for comparison. */
  private static final int WARM = 8;

  private static final int REDEPLOYMENTS = 12;
  private static final int ORDERS_BETWEEN_REDEPLOYMENTS = 100;
  private static final Duration QUIET = Duration.ofSeconds(2);

  /**
   * Longer than a message may take that is sent again until the end of its round; and so short that
   * the tables have stopped growing when a soak of half an hour has warmed up.
   */
  private static final String RETENTION = "5m";

  private static final Map<String, String> VARIABLES =
      Map.of(
          "postbox.outbox.after-sending",
          "archive",
          "postbox.outbox.retention",
          RETENTION,
          "postbox.inbox.retention",
          RETENTION,
          "postbox.inbox.backoff.max",
          "5s");

  private final List<Round> rounds;
  private final Duration length;
  private final Duration load;
  private final Nodes nodes;
  private final ResourceGauges gauges;
  private final Report report;
  private final Path folder;
  private final String name;
  private final List<Map<Gauge, Double>> steady = new ArrayList<>();
  private final List<Map<Gauge, Double>> redeployed = new ArrayList<>();

  Soak(CampaignSettings settings, Mode mode) {
    length = Duration.ofMinutes(settings.soakMinutes());
    int number = Math.max(settings.soakMinutes(), MOST_ROUNDS_OF_A_SHORT_ONE);
    load = length.dividedBy(number);
    nodes = mode.make(settings.settings(), false, VARIABLES);
    nodes.target(1, SoakFault.allRules());
    nodes.forgetIds();
    rounds = Round.draw(settings.seed(), faults(mode), number);
    gauges = new ResourceGauges(nodes.get(nodes.all().size() - 1), nodes.database());
    name = "soak-" + mode.text();
    folder = settings.work();
    report = new Report(name, settings.soakCommandFor(mode), folder);
  }

  private List<Fault> faults(Mode mode) {
    boolean severalNodes = nodes.all().size() > 1;
    return Stream.concat(mode.faults().stream(), Arrays.stream(SoakFault.values()))
        .filter(
            fault ->
                fault instanceof BackendFault
                    || fault instanceof SoakFault
                    || fault == ServerFault.FROZEN
                    || (severalNodes && fault == ServerFault.KILLED))
        .toList();
  }

  /** All of it; stops early when something is already wrong. */
  List<Violation> run() {
    report.begin(rounds.size());
    nodes.start();
    try {
      List<Violation> violations = new ArrayList<>();
      boolean well = playAll(violations);
      gauges.histogram(folder.resolve(name + "-heap-end.txt"));
      violations.addAll(judge("under load", steady));
      violations.addAll(nodes.check());
      if (well && nodes.all().size() == 1) {
        redeployAll(violations);
      }
      violations.addAll(judge("redeployed", redeployed));
      report.end(nodes.events(), nodes.state(), violations);
      return violations;
    } catch (RuntimeException e) {
      throw new AssertionError(e.getMessage() + "\n" + explain(List.of()), e);
    }
  }

  /** The story of the violations, for a person. */
  String explain(List<Violation> violations) {
    return report.failure(nodes.events(), nodes.state(), violations)
        + "Kept: %s\n".formatted(nodes.whereabouts());
  }

  private boolean playAll(List<Violation> violations) {
    Iterator<Round> left = rounds.iterator();
    while (violations.isEmpty()
        && left.hasNext()
        && (steady.size() < FEWEST_ROUNDS || nodes.now().compareTo(length) < 0)) {
      violations.addAll(play(left.next()));
    }
    return violations.isEmpty();
  }

  /** Returns what is wrong so far. */
  private List<Violation> play(Round round) {
    String how = underLoad(round);
    Duration before = nodes.now();
    nodes.startAgain();
    Duration ready = nodes.now();
    List<Violation> wrong = wrongAtRest(round.number(), round.fault().name());
    if (!wrong.isEmpty()) {
      return wrong;
    }
    report.round(
        new RoundResult(
            round.number(),
            round.fault().name(),
            how,
            0,
            ready.minus(before),
            nodes.now().minus(ready)),
        nodes.events());
    read(steady, Map.of());
    if (steady.size() == WARM) {
      gauges.histogram(folder.resolve(name + "-heap-warm.txt"));
    }
    return List.of();
  }

  private String underLoad(Round round) {
    List<Load> loads = new ArrayList<>();
    try {
      Duration end = nodes.now().plus(load);
      nodes.all().forEach(node -> loads.add(nodes.ownLoad(node, CLIENTS / nodes.all().size())));
      loads.forEach(Load::awaitFirstAnswer);
      String how = round.fault().happen(nodes, new Random(round.seed()));
      Duration left = end.minus(nodes.now());
      FaultTiming.pause(left.isNegative() ? Duration.ZERO : left);
      return how;
    } finally {
      CloseAll.all(loads);
    }
  }

  /** Judged by the sample's own counts, for nothing in the server notes what is sent. */
  private void redeployAll(List<Violation> violations) {
    Node node = nodes.get(0);
    node.rules().leaveOut();
    node.server().kill();
    nodes.mark(node, "stopped, to be started without the campaign's rules");
    nodes.startAgain();
    for (int time = 1; time <= REDEPLOYMENTS; time++) {
      try (Load clients = nodes.ownLoad(nodes.get(0), CLIENTS)) {
        clients.awaitFirstAnswer();
        ServerFault.REDEPLOYED.happen(nodes, new Random(time));
        clients.awaitOrders(ORDERS_BETWEEN_REDEPLOYMENTS);
      }
      List<Violation> wrong = wrongAtRest(time, "redeployment");
      if (!wrong.isEmpty()) {
        violations.addAll(wrong);
        return;
      }
      read(redeployed, gauges.copies());
    }
  }

  private List<Violation> wrongAtRest(int round, String fault) {
    return nodes.settle()
        ? nodes.wrongCounts(round)
        : List.of(new Violation.NotAtRest(round, fault));
  }

  private void read(List<Map<Gauge, Double>> readings, Map<Gauge, Double> more) {
    FaultTiming.pause(QUIET);
    Map<Gauge, Double> all = new TreeMap<>(gauges.read());
    all.putAll(more);
    readings.add(all);
    report.reading(all);
    StringBuilder lines = new StringBuilder();
    all.forEach(
        (gauge, value) ->
            lines.append("%s\t%s\t%s%n".formatted(nodes.now().toSeconds(), gauge.text(), value)));
    try {
      Files.writeString(
          folder.resolve(name + ".tsv"),
          lines,
          StandardOpenOption.CREATE,
          steady.size() == 1 && redeployed.isEmpty()
              ? StandardOpenOption.TRUNCATE_EXISTING
              : StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("Readings cannot be written to " + folder, e);
    }
  }

  private List<Violation> judge(String when, List<Map<Gauge, Double>> readings) {
    if (readings.size() - Growth.warmUp(readings.size()) < Trend.LEAST) {
      return List.of(); // it stopped early, which is a violation already
    }
    List<Growth> growths = Growth.of(readings);
    report.growths(when, growths);
    return growths.stream()
        .filter(Growth::tooMuch)
        .<Violation>map(growth -> new Violation.Grows(when, growth.text()))
        .toList();
  }

  @Override
  public void close() {
    nodes.close();
  }
}
