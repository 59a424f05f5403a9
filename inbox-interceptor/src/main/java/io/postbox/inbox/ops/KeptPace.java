package io.postbox.inbox.ops;

import io.postbox.common.time.ClockStep;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.ops.KeptRelease.Released;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a redrive has come with its first messages and its rate. Immutable.
 *
 * @param phase the next phase
 * @param dueUpTo when the last message that was sent was due at the rate
 * @param first the first messages, while their fate is not known
 */
record KeptPace(Phase phase, Instant dueUpTo, List<Sent> first) {
  /** How far ahead of the rate messages are sent. */
  static final Duration HORIZON = Duration.ofSeconds(1);

  /** No message is due later than this: the horizon, and what one message adds. */
  private static final Duration FARTHEST = HORIZON.multipliedBy(3);

  /** Of an action that has neither. */
  static final KeptPace NONE = new KeptPace(Phase.REST, Instant.EPOCH, List.of());

  enum Phase {
    /** The first messages are being sent. */
    FIRST,
    /** The action waits for their fate. */
    WATCH,
    /** The others, or all. */
    REST
  }

  /** A message that was sent. */
  record Sent(long row, String consumer, String messageId) {}

  static KeptPace begin(RedrivePace pace) {
    return pace.first() == 0 ? NONE : new KeptPace(Phase.FIRST, Instant.EPOCH, List.of());
  }

  static KeptPace of(JsonObject place) {
    return place.containsKey("phase")
        ? new KeptPace(
            Phase.valueOf(place.getString("phase")),
            Instant.parse(place.getString("dueUpTo")),
            place.getJsonArray("first").stream()
                .map(
                    each ->
                        new Sent(
                            each.asJsonArray().getJsonNumber(0).longValue(),
                            each.asJsonArray().getString(1),
                            each.asJsonArray().getString(2)))
                .toList())
        : NONE;
  }

  void addTo(JsonObjectBuilder place) {
    if (equals(NONE)) {
      return;
    }
    JsonArrayBuilder sent = KeptActionPlan.JSON.createArrayBuilder();
    first.forEach(
        each ->
            sent.add(
                KeptActionPlan.JSON
                    .createArrayBuilder()
                    .add(each.row())
                    .add(each.consumer())
                    .add(each.messageId())));
    place.add("phase", phase.name()).add("dueUpTo", dueUpTo.toString()).add("first", sent);
  }

  /** A message was sent. */
  KeptPace sent(Released message, RedrivePace pace, Instant now) {
    Instant due = dueUpTo(now).isAfter(now) ? dueUpTo(now) : now;
    Instant next =
        pace.isUnlimited() ? dueUpTo : due.plus(Duration.ofSeconds(1).dividedBy(pace.perSecond()));
    if (phase != Phase.FIRST) {
      return new KeptPace(phase, next, first);
    }
    List<Sent> all = new ArrayList<>(first);
    all.add(new Sent(message.row().id(), message.row().consumer(), message.id()));
    return new KeptPace(phase, next, List.copyOf(all));
  }

  /** Waits for the first messages. */
  KeptPace watch() {
    return new KeptPace(Phase.WATCH, dueUpTo, first);
  }

  /** Nobody waits for the first messages any more. */
  KeptPace rest() {
    return new KeptPace(Phase.REST, dueUpTo, List.of());
  }

  private Instant dueUpTo(Instant now) {
    return ClockStep.unlessSetBack(dueUpTo, now, FARTHEST);
  }

  /** How long to wait until the rate lets the next message go. */
  Duration untilDue(Instant now) {
    Duration wait = Duration.between(now.plus(HORIZON), dueUpTo(now));
    return wait.isNegative() ? Duration.ZERO : wait;
  }
}
