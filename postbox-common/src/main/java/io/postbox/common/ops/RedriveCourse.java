package io.postbox.common.ops;

import io.postbox.common.OperatorAction.State;
import io.postbox.common.OperatorActions;
import io.postbox.common.ops.ActionRunner.Step;
import io.postbox.common.time.ClockStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How far a redrive has come with its first messages and its rate. Immutable.
 *
 * @param phase the next phase
 * @param dueUpTo when the message behind those that are redriven is due at the rate
 * @param first the ids of the first messages, while their fate is not known; without spaces
 */
public record RedriveCourse(Phase phase, Instant dueUpTo, List<String> first) {
  /** No message is due later than this: three times the longest horizon. */
  private static final Duration FARTHEST = Duration.ofSeconds(15);

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  /** What comes next. */
  public enum Phase {
    /** The first messages are being redriven. */
    FIRST,
    /** The action waits for the fate of the first messages. */
    WATCH,
    /** The others, or all. */
    REST
  }

  /**
   * Words for a person.
   *
   * @param all for the messages
   * @param kept for those that are not redriven
   */
  public record Nouns(String all, String kept) {}

  /**
   * The beginning.
   *
   * @param first how many messages go ahead of the others
   */
  public static RedriveCourse begin(int first) {
    return new RedriveCourse(first > 0 ? Phase.FIRST : Phase.REST, Instant.EPOCH, List.of());
  }

  /** Reads what {@link #addTo} has written; the names may be missing before the first step. */
  public static RedriveCourse of(Map<String, String> fields, int first) {
    String phase = fields.get("phase");
    return phase == null
        ? begin(first)
        : new RedriveCourse(
            Phase.valueOf(phase),
            Instant.parse(Objects.requireNonNull(fields.get("dueUpTo"))),
            Arrays.stream(Objects.requireNonNull(fields.get("first")).split(" "))
                .filter(id -> !id.isEmpty())
                .toList());
  }

  /** Adds it to the fields of a progress. */
  public void addTo(Map<String, String> fields) {
    fields.put("phase", phase.name());
    fields.put("dueUpTo", dueUpTo.toString());
    fields.put("first", String.join(" ", first));
  }

  /**
   * Messages were redriven.
   *
   * @param nextDue when the next one is due
   * @param ids theirs
   */
  public RedriveCourse redriven(Instant nextDue, List<String> ids) {
    List<String> all =
        phase == Phase.FIRST ? Stream.concat(first.stream(), ids.stream()).toList() : first;
    return new RedriveCourse(phase, nextDue, all);
  }

  /**
   * How many of the first messages are not redriven yet.
   *
   * @param wanted how many go ahead of the others; those that go with one of them count, too
   */
  public int firstLeft(int wanted) {
    return Math.max(0, wanted - first.size());
  }

  /** Waits for the first messages. */
  public RedriveCourse watch() {
    return new RedriveCourse(Phase.WATCH, dueUpTo, first);
  }

  /** Nobody waits for the first messages any more. */
  public RedriveCourse rest() {
    return new RedriveCourse(Phase.REST, dueUpTo, List.of());
  }

  /** When the next message is due at the earliest. */
  public Instant nextDue(Instant now) {
    Instant due = ClockStep.unlessSetBack(dueUpTo, now, FARTHEST);
    return due.isAfter(now) ? due : now;
  }

  /**
   * When a message is due that many places behind another one.
   *
   * @param perSecond the rate; none at {@value OperatorActions#HIGHEST_RATE}
   */
  public static Instant after(Instant due, long places, int perSecond) {
    return perSecond == OperatorActions.HIGHEST_RATE
        ? due
        : due.plusNanos(Duration.ofSeconds(1).toNanos() * places / perSecond);
  }

  /**
   * How long to wait until the rate lets the next message go.
   *
   * @param horizon how far ahead of the rate messages are redriven, give or take one step: up to
   *     five seconds
   */
  public Duration untilDue(Duration horizon, Instant now) {
    Duration wait = Duration.between(now.plus(horizon), nextDue(now));
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  /**
   * The step of an action that waits for its first messages.
   *
   * @param failedAgain how many of them have failed again
   * @param waiting how many of them are neither handled nor failed
   * @param failures how many of them count as failures of the action
   * @param rest the progress without them
   * @param nouns what a person calls them, and then those that failed
   */
  public Step watched(long failedAgain, long waiting, long failures, String rest, Nouns nouns) {
    if (failedAgain > 0) {
      return Step.stop(
          State.PAUSED,
          failures,
          rest,
          "%s of the first %s %s failed again. Resume it to redrive the others all the same, or cancel it; they are still %s."
              .formatted(failedAgain, first.size(), nouns.all(), nouns.kept()));
    }
    return waiting > 0 ? Step.waiting(BETWEEN_LOOKS) : Step.goOn(0, rest);
  }
}
