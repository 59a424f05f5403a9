package io.postbox.outbox.ops;

import io.postbox.common.text.FlatJson;
import io.postbox.common.time.ClockStep;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where an action on dead letters goes on. Immutable.
 *
 * @param after the place up to which all letters are done
 * @param dueUpTo when the last letter that was redriven is due at the rate
 * @param phase the next phase
 * @param first the ids of the first letters, while their fate is not known
 */
record LetterProgress(long after, Instant dueUpTo, Phase phase, List<UUID> first) {

  /** No letter is marked to be due later than this: the horizon, and what one step adds. */
  private static final Duration FARTHEST = LetterSteps.HORIZON.multipliedBy(3);

  enum Phase {
    /** The first letters are being redriven. */
    FIRST,
    /** The action waits for the fate of the first letters. */
    WATCH,
    /** The others, or all. */
    REST
  }

  /** The place in a row. */
  static LetterProgress of(String json, MessagePlan plan) {
    if (json.isEmpty()) {
      Phase begin = plan.first() > 0 ? Phase.FIRST : Phase.REST;
      return new LetterProgress(0, Instant.EPOCH, begin, List.of());
    }
    Map<String, String> fields = FlatJson.parse(json);
    return new LetterProgress(
        Long.parseLong(MessagePlan.field(fields, "after")),
        Instant.parse(MessagePlan.field(fields, "dueUpTo")),
        Phase.valueOf(MessagePlan.field(fields, "phase")),
        Stream.of(MessagePlan.field(fields, "first").split(" "))
            .filter(id -> !id.isEmpty())
            .map(UUID::fromString)
            .toList());
  }

  String toJson() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("after", String.valueOf(after));
    fields.put("dueUpTo", dueUpTo.toString());
    fields.put("phase", phase.name());
    fields.put("first", first.stream().map(UUID::toString).collect(Collectors.joining(" ")));
    return FlatJson.of(fields);
  }

  /** All letters of a page are done. */
  LetterProgress after(long seq) {
    boolean firstAreDone = phase == Phase.FIRST;
    return new LetterProgress(seq, dueUpTo, firstAreDone ? Phase.WATCH : phase, first);
  }

  /** Letters were redriven. */
  LetterProgress redriven(Instant lastDue, List<UUID> ids) {
    List<UUID> all =
        phase == Phase.FIRST ? Stream.concat(first.stream(), ids.stream()).toList() : first;
    return new LetterProgress(after, lastDue, phase, all);
  }

  /** Nobody waits for the first letters any more. */
  LetterProgress rest() {
    return new LetterProgress(after, dueUpTo, Phase.REST, List.of());
  }

  /** When the next letter is due at the earliest. */
  Instant nextDue(Instant now) {
    Instant due = ClockStep.unlessSetBack(dueUpTo, now, FARTHEST);
    return due.isAfter(now) ? due : now;
  }

  /** How long to wait until no letter is due later than this after now. */
  Duration untilDueWithin(Duration horizon, Instant now) {
    Duration wait = Duration.between(now.plus(horizon), nextDue(now));
    return wait.isNegative() ? Duration.ZERO : wait;
  }
}
