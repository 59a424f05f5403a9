package io.postbox.crash.report;

import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.Event.JobsDecided;
import io.postbox.testkit.model.Event.Marked;
import io.postbox.testkit.model.Event.Resent;
import io.postbox.testkit.model.Event.Unanswered;
import io.postbox.testkit.model.Event.VersionsSent;
import io.postbox.testkit.model.FinalState;
import io.postbox.testkit.model.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Tells a person how a campaign goes: a line per round, one at the end, all of it on a failure; and
 * a page with a picture of it.
 */
public final class Report {
  private static final int LIVES_PRINTED = 10;
  private static final int VIOLATIONS_PRINTED = 200;

  private final String mode;
  private final String again;
  private final Path page;
  private final long began = System.nanoTime();
  private final List<RoundResult> result = new ArrayList<>();
  private final StringBuilder charts = new StringBuilder();
  private int rounds;

  /**
   * @param again the command that plays it again
   * @param folder for the page
   */
  public Report(String mode, String again, Path folder) {
    this.mode = mode;
    this.again = again;
    page = folder.resolve(mode + ".html");
  }

  public void begin(int rounds) {
    this.rounds = rounds;
    print("%s rounds. Again: %s".formatted(rounds, again));
  }

  /** All has come to rest after a round, or does not. */
  public void round(RoundResult round, List<Event> history) {
    result.add(round);
    Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
    Duration remaining = elapsed.multipliedBy(rounds - result.size()).dividedBy(result.size());
    print(
        "round %s/%s: %s; %s in doubt; ready %s after the start, at rest %s later; so far %s; elapsed %s s, about %s s to go"
            .formatted(
                round.number(),
                rounds,
                round.how(),
                round.inDoubt(),
                EventLines.seconds(round.untilReady()),
                EventLines.seconds(round.untilRest()),
                counts(history),
                elapsed.toSeconds(),
                remaining.toSeconds()));
  }

  /** The readings after a round of a soak, without those that there are none of. */
  public void reading(Map<Gauge, Double> reading) {
    print(
        reading.entrySet().stream()
            .filter(entry -> entry.getValue() != 0)
            .filter(entry -> entry.getKey().isInShort())
            .map(
                entry ->
                    String.format(Locale.ROOT, "%s %.1f", entry.getKey().text(), entry.getValue()))
            .collect(Collectors.joining("; ")));
  }

  /**
   * The growth of all readings in a part of a soak.
   *
   * @param when in which part
   */
  public void growths(String when, List<Growth> growths) {
    growths.forEach(growth -> print(when + ", " + growth.text()));
    charts.append(Charts.html("Readings that must not grow, " + when, growths));
  }

  public void end(List<Event> history, FinalState state, List<Violation> violations) {
    List<String> summary = summary(history, violations);
    summary.forEach(this::print);
    print(kept(state.keptAside()));
    write(summary, history, state, violations);
  }

  private static String kept(List<FinalState.KeptAside> kept) {
    return "kept aside: %s messages, %s of them without a body, %s bytes"
        .formatted(
            kept.size(),
            kept.stream().filter(it -> !it.hasBody()).count(),
            kept.stream().mapToLong(FinalState.KeptAside::size).sum());
  }

  /** Everything about a failure, to be read without running it again. */
  public String failure(List<Event> history, FinalState state, List<Violation> violations) {
    write(summary(history, violations), history, state, violations);
    List<String> lines = new ArrayList<>();
    lines.add("%s violations on %s. Again: %s".formatted(violations.size(), mode, again));
    lines.add("Faults of the server:");
    EventLines.ofTheServer(history).forEach(line -> lines.add("  " + line));
    lines.add("Violations:");
    wrong(history, state, violations).forEach(line -> lines.add("  " + line));
    lines.add("As a page: " + page);
    return String.join("\n", lines) + "\n";
  }

  private List<String> summary(List<Event> history, List<Violation> violations) {
    return List.of(
        "%s rounds, %s kills of servers: %s; %s violations"
            .formatted(
                result.size(),
                count(history, event -> event instanceof Marked e && e.what().startsWith("killed")),
                counts(history),
                violations.size()),
        "recovery: ready %s after a start, at rest %s after that; %s transactions were in doubt"
            .formatted(
                spread(RoundResult::untilReady),
                spread(RoundResult::untilRest),
                result.stream().mapToInt(RoundResult::inDoubt).sum()),
        "rounds: " + turns());
  }

  private String turns() {
    Map<String, Integer> turns = new TreeMap<>();
    result.forEach(round -> turns.merge(round.fault(), 1, Integer::sum));
    return turns.entrySet().stream()
        .map(turn -> turn.getKey() + " " + turn.getValue())
        .collect(Collectors.joining(", "));
  }

  private static List<String> wrong(
      List<Event> history, FinalState state, List<Violation> violations) {
    List<String> lines = new ArrayList<>();
    for (Violation violation : violations.subList(0, Math.min(LIVES_PRINTED, violations.size()))) {
      lines.add(violation.what());
      if (!violation.aggregate().isEmpty()) {
        EventLines.ofVersions(violation.aggregate(), history, state)
            .forEach(line -> lines.add("    " + line));
      }
      if (violation.job() != 0) {
        EventLines.ofJob(violation.job(), history, state).forEach(line -> lines.add("    " + line));
      }
      if (violation.orderId() != 0) {
        EventLines.of(violation.orderId(), history, state)
            .forEach(line -> lines.add("    " + line));
      }
    }
    violations.stream()
        .skip(LIVES_PRINTED)
        .limit(VIOLATIONS_PRINTED)
        .forEach(violation -> lines.add(violation.what()));
    return lines;
  }

  private void write(
      List<String> summary, List<Event> history, FinalState state, List<Violation> violations) {
    ReportPage content =
        new ReportPage(
            "Campaign on " + mode,
            again,
            summary,
            charts.toString(),
            result,
            history,
            wrong(history, state, violations));
    try {
      Files.createDirectories(page.getParent());
      Files.writeString(page, content.html());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String counts(List<Event> history) {
    return "%s orders answered 201, %s otherwise, %s not at all, %s resends, %s hostile messages%s%s"
        .formatted(
            count(history, event -> event instanceof Acknowledged),
            count(history, event -> event instanceof Unanswered e && e.status() != 0),
            count(history, event -> event instanceof Unanswered e && e.status() == 0),
            count(history, event -> event instanceof Resent),
            count(history, event -> event instanceof HostileSent),
            versions(history),
            jobs(history));
  }

  /** What an operator has decided about, if there is one. */
  private static String jobs(List<Event> history) {
    List<JobsDecided> decided =
        history.stream()
            .filter(JobsDecided.class::isInstance)
            .map(JobsDecided.class::cast)
            .toList();
    return decided.isEmpty()
        ? ""
        : ", %s decisions about %s jobs, %s of them uncertain"
            .formatted(
                decided.size(),
                decided.stream().mapToInt(one -> one.jobs().size()).sum(),
                decided.stream().filter(one -> !one.isCertain()).count());
  }

  /** Those that were sent for certain, and how often any was; nothing where there are none. */
  private static String versions(List<Event> history) {
    List<String> sent =
        history.stream()
            .filter(VersionsSent.class::isInstance)
            .map(VersionsSent.class::cast)
            .filter(VersionsSent::isSent)
            .flatMap(e -> e.versions().stream().map(version -> e.aggregate() + "@" + version))
            .toList();
    return sent.isEmpty()
        ? ""
        : ", %s versions in %s messages".formatted(Set.copyOf(sent).size(), sent.size());
  }

  private static long count(List<Event> history, Predicate<Event> which) {
    return history.stream().filter(which).count();
  }

  private String spread(Function<RoundResult, Duration> which) {
    List<Duration> times = result.stream().map(which).sorted().toList();
    return times.isEmpty()
        ? "never"
        : EventLines.seconds(times.get(0))
            + " to "
            + EventLines.seconds(times.get(times.size() - 1));
  }

  private void print(String line) {
    System.out.println("[campaign, " + mode + "] " + line);
  }
}
