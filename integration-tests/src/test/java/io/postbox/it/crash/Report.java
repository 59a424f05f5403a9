package io.postbox.it.crash;

import io.postbox.it.crash.Event.Acknowledged;
import io.postbox.it.crash.Event.Marked;
import io.postbox.it.crash.Event.Resent;
import io.postbox.it.crash.Event.Unanswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Tells a person how a campaign goes: a line per round, one at the end, all of it on a failure. */
final class Report {
  private static final int LIVES_TOLD = 10;

  private final String mode;
  private final long seed;
  private final long began = System.nanoTime();
  private final List<Duration> ready = new ArrayList<>();
  private final List<Duration> rest = new ArrayList<>();
  private int rounds;
  private String size = "";
  private int transactionsInDoubt;
  private String round = "";

  Report(String mode, long seed) {
    this.mode = mode;
    this.seed = seed;
  }

  /**
   * @param size the option that says so many rounds
   */
  void begin(int rounds, String size) {
    this.rounds = rounds;
    this.size = size;
    print("%d rounds, -Dseed=%d".formatted(rounds, seed));
  }

  /**
   * The server is up again.
   *
   * @param how it died
   */
  void round(int number, String how, int inDoubt, Duration untilReady) {
    ready.add(untilReady);
    transactionsInDoubt += inDoubt;
    round =
        "round %d/%d: %s; %d in doubt; ready %s after the start"
            .formatted(number, rounds, how, inDoubt, Life.seconds(untilReady));
  }

  /** All has come to rest, or does not. */
  void rest(History history, Duration untilRest) {
    rest.add(untilRest);
    Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
    Duration remaining = elapsed.multipliedBy(rounds - rest.size()).dividedBy(rest.size());
    print(
        "%s, at rest %s later; so far %s; elapsed %d s, about %d s to go"
            .formatted(
                round,
                Life.seconds(untilRest),
                counts(history.events()),
                elapsed.toSeconds(),
                remaining.toSeconds()));
  }

  void end(List<Event> history, List<Violation> violations) {
    print(
        "%d rounds, %d kills, -Dseed=%d: %s; %d violations"
            .formatted(
                rest.size(),
                count(history, event -> event instanceof Marked e && e.what().startsWith("killed")),
                seed,
                counts(history),
                violations.size()));
    print(
        "recovery: ready %s after a start, at rest %s after that; %d transactions were in doubt"
            .formatted(spread(ready), spread(rest), transactionsInDoubt));
  }

  /** Everything about a failure, to be read without running it again. */
  String failure(List<Event> history, FinalState state, List<Violation> violations) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d violations on %s. Again: ./mvnw verify -Pcrash %s -Dseed=%d"
            .formatted(violations.size(), mode, size, seed));
    lines.add("What was done to the server:");
    Life.ofTheServer(history).forEach(line -> lines.add("  " + line));
    lines.add("What is wrong:");
    for (Violation violation : violations.subList(0, Math.min(LIVES_TOLD, violations.size()))) {
      lines.add("  " + violation.what());
      if (violation.orderId() != 0) {
        Life.of(violation.orderId(), history, state).forEach(line -> lines.add("      " + line));
      }
    }
    violations.stream()
        .skip(LIVES_TOLD)
        .limit(200)
        .forEach(violation -> lines.add("  " + violation.what()));
    return String.join("\n", lines) + "\n";
  }

  private static String counts(List<Event> history) {
    return "%d orders answered 201, %d otherwise, %d not at all, %d resends"
        .formatted(
            count(history, event -> event instanceof Acknowledged),
            count(history, event -> event instanceof Unanswered e && e.status() != 0),
            count(history, event -> event instanceof Unanswered e && e.status() == 0),
            count(history, event -> event instanceof Resent));
  }

  private static long count(List<Event> history, Predicate<Event> which) {
    return history.stream().filter(which).count();
  }

  private static String spread(List<Duration> times) {
    return times.isEmpty()
        ? "never"
        : Life.seconds(times.stream().min(Duration::compareTo).orElseThrow())
            + " to "
            + Life.seconds(times.stream().max(Duration::compareTo).orElseThrow());
  }

  private void print(String line) {
    System.out.println("[kill -9, " + mode + "] " + line);
  }
}
