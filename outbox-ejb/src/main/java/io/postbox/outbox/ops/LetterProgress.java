package io.postbox.outbox.ops;

import io.postbox.common.time.ClockStep;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

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
  static LetterProgress of(String json, ActionPlan.Letters plan) {
    if (json.isEmpty()) {
      Phase begin = plan.first() > 0 ? Phase.FIRST : Phase.REST;
      return new LetterProgress(0, Instant.EPOCH, begin, List.of());
    }
    try (JsonReader reader = ActionPlan.JSON.createReader(new StringReader(json))) {
      JsonObject place = reader.readObject();
      return new LetterProgress(
          place.getJsonNumber("after").longValue(),
          Instant.parse(place.getString("dueUpTo")),
          Phase.valueOf(place.getString("phase")),
          place.containsKey("first")
              ? place.getJsonArray("first").getValuesAs(JsonString.class).stream()
                  .map(id -> UUID.fromString(id.getString()))
                  .toList()
              : List.of());
    }
  }

  String toJson() {
    JsonObjectBuilder place =
        ActionPlan.JSON
            .createObjectBuilder()
            .add("after", after)
            .add("dueUpTo", dueUpTo.toString())
            .add("phase", phase.name());
    if (!first.isEmpty()) {
      JsonArrayBuilder ids = ActionPlan.JSON.createArrayBuilder();
      first.forEach(id -> ids.add(id.toString()));
      place.add("first", ids);
    }
    return place.build().toString();
  }

  /** All letters of a page are done. */
  LetterProgress after(long seq) {
    boolean firstAreDone = phase == Phase.FIRST;
    return new LetterProgress(seq, dueUpTo, firstAreDone ? Phase.WATCH : phase, first);
  }

  /** Letters were redriven. */
  LetterProgress redriven(Instant lastDue, List<UUID> ids) {
    List<UUID> all = new ArrayList<>(first);
    if (phase == Phase.FIRST) {
      all.addAll(ids);
    }
    return new LetterProgress(after, lastDue, phase, List.copyOf(all));
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
