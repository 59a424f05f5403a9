package io.postbox.crash.campaign;

import io.postbox.crash.faults.ClockFault;
import io.postbox.crash.faults.DiskFault;
import io.postbox.crash.faults.Fault;
import io.postbox.crash.report.Report;
import io.postbox.crash.report.RoundResult;
import io.postbox.crash.topology.CloseAll;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Rounds of faults. In each, clients order under load, something is done to what runs, what died
 * starts again on the same data, and everything has to come to rest; then a checker judges.
 */
final class Campaign implements AutoCloseable {
  /** So many rounds that it pays to prepare the starts in them. */
  private static final int MANY = 10;

  /** Of an operator, until something happens to the servers. */
  private static final int FEWEST_ACTIONS = 2;

  private static final int MORE_ACTIONS = 4;

  private final int clients;
  private final List<Round> rounds;
  private final Nodes nodes;
  private final Report report;
  private final List<RoundResult> over = new ArrayList<>();
  private final Consumer<String> record;
  private int begun;

  Campaign(CampaignSettings settings, Mode mode) {
    clients = settings.clients();
    rounds = Round.draw(settings.seed(), settings.faultsOf(mode), settings.rounds());
    boolean smallDisks = rounds.stream().anyMatch(round -> round.fault() instanceof DiskFault);
    nodes = mode.make(settings.settings(), smallDisks, Map.of());
    if (rounds.stream().anyMatch(round -> round.fault() instanceof ClockFault)
        && nodes.database().readableBesideServer()) {
      Tables.haveClock(nodes.database());
    }
    report = new Report(mode.text(), settings.commandFor(mode), settings.work());
    record =
        wrong ->
            settings
                .roundsFile()
                .ifPresent(file -> file.add(mode.text(), settings.seed(), over, wrong));
  }

  /** All rounds, then the final check; stops early when something is already wrong. */
  List<Violation> run() {
    report.begin(rounds.size());
    if (rounds.size() >= MANY) {
      nodes.all().forEach(Node::prepareStarts);
    }
    nodes.start();
    try {
      Set<Violation> found = new LinkedHashSet<>(); // the final check finds some again
      Iterator<Round> left = rounds.iterator();
      while (left.hasNext() && found.isEmpty()) {
        found.addAll(play(left.next()));
      }
      found.addAll(nodes.check());
      List<Violation> violations = List.copyOf(found);
      report.end(nodes.events(), nodes.state(), violations);
      record.accept(violations.isEmpty() ? "" : violations.get(0).what());
      return violations;
    } catch (RuntimeException e) {
      if (over.size() < begun) {
        Fault fault = rounds.get(begun - 1).fault();
        over.add(new RoundResult(begun, fault.name(), "", 0, Duration.ZERO, Duration.ZERO));
      }
      record.accept("broken off: " + e.getMessage());
      throw new AssertionError(e.getMessage() + "\n" + explain(List.of()), e);
    }
  }

  /** The story of the violations, for a person. */
  String explain(List<Violation> violations) {
    return report.failure(nodes.events(), nodes.state(), violations)
        + "Kept: %s\n".formatted(nodes.whereabouts());
  }

  /** Returns what is wrong so far. */
  private List<Violation> play(Round round) {
    begun = round.number();
    String how = underLoad(round);
    int inDoubt = 0;
    if (nodes.all().stream().anyMatch(node -> !node.server().isRunning())) {
      inDoubt = nodes.inDoubt();
      nodes.mark("down, %s transactions in doubt".formatted(inDoubt));
    }
    Duration before = nodes.now();
    nodes.startAgain();
    Duration ready = nodes.now();
    boolean atRest = nodes.settle();
    if (round.fault().end(nodes)) {
      atRest &= nodes.settle();
    }
    Duration rest = nodes.now();
    RoundResult result =
        new RoundResult(
            round.number(),
            round.fault().name(),
            how,
            inDoubt,
            ready.minus(before),
            rest.minus(ready));
    over.add(result);
    report.round(result, nodes.events());
    return atRest
        ? wrongSoFar(round)
        : List.of(new Violation.NotAtRest(round.number(), round.fault().name()));
  }

  private String underLoad(Round round) {
    List<Load> loads = new ArrayList<>();
    List<AutoCloseable> all = new ArrayList<>();
    Random random = new Random(round.seed());
    long actions = nodes.actions() + FEWEST_ACTIONS + random.nextInt(MORE_ACTIONS);
    try {
      int each = Math.max(1, round.fault().clients(clients) / nodes.all().size());
      nodes.all().forEach(node -> loads.add(nodes.load(node, each)));
      all.addAll(loads);
      nodes.all().forEach(node -> all.addAll(nodes.othersAt(node)));
      loads.forEach(Load::awaitFirstAnswer);
      nodes.awaitActions(actions);
      return round.fault().happen(nodes, new Random(round.seed()));
    } finally {
      CloseAll.all(all);
    }
  }

  private List<Violation> wrongSoFar(Round round) {
    return nodes.database().readableBesideServer()
        ? nodes.check()
        : nodes.wrongCounts(round.number());
  }

  @Override
  public void close() {
    nodes.close();
  }
}
