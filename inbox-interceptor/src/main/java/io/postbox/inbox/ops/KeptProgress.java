package io.postbox.inbox.ops;

import io.postbox.common.text.Storable;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.Redriven.Refusal;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Where an action on kept messages goes on. Immutable.
 *
 * @param after the id up to which all messages are done, or could not be sent
 * @param inARow how many the broker has refused since it last took one
 * @param retryFrom the id after which the first of these comes
 * @param failedSince how many could not be sent since that id
 * @param refusals the first messages that could not be sent, and behind 100 of them the last one
 * @param pace how far it has come with its first messages and its rate
 */
record KeptProgress(
    long after,
    int inARow,
    long retryFrom,
    int failedSince,
    List<Refusal> refusals,
    KeptPace pace) {
  private static final int MOST_REFUSALS = 100;

  /** Each step that sends a message writes all of them again. */
  private static final int LONGEST_REASON = 300;

  static KeptProgress of(String json) {
    if (json.isEmpty()) {
      return begin(RedrivePace.FASTEST);
    }
    try (JsonReader reader = KeptActionPlan.JSON.createReader(new StringReader(json))) {
      JsonObject place = reader.readObject();
      return new KeptProgress(
          place.getJsonNumber("after").longValue(),
          place.getInt("inARow"),
          place.getJsonNumber("retryFrom").longValue(),
          place.getInt("failedSince"),
          place.getJsonArray("refusals").stream()
              .map(
                  each ->
                      new Refusal(
                          each.asJsonArray().getJsonNumber(0).longValue(),
                          each.asJsonArray().getString(1)))
              .toList(),
          KeptPace.of(place));
    }
  }

  /** The place in a row, or the beginning of an action. */
  static KeptProgress of(String json, RedrivePace pace) {
    return json.isEmpty() ? begin(pace) : of(json);
  }

  private static KeptProgress begin(RedrivePace pace) {
    return new KeptProgress(0, 0, 0, 0, List.of(), KeptPace.begin(pace));
  }

  /** The same with another pace. */
  KeptProgress with(KeptPace other) {
    return new KeptProgress(after, inARow, retryFrom, failedSince, refusals, other);
  }

  /** The first 100 messages that could not be sent. */
  List<Refusal> firstRefusals() {
    return refusals.subList(0, Math.min(MOST_REFUSALS, refusals.size()));
  }

  /** Which message could not be sent last, and why; there is one. */
  String lastRefusal() {
    Refusal last = refusals.get(refusals.size() - 1);
    return "message %s: %s".formatted(last.id(), last.reason());
  }

  String toJson() {
    JsonArrayBuilder refused = KeptActionPlan.JSON.createArrayBuilder();
    refusals.forEach(
        each ->
            refused.add(
                KeptActionPlan.JSON.createArrayBuilder().add(each.id()).add(each.reason())));
    JsonObjectBuilder place =
        KeptActionPlan.JSON
            .createObjectBuilder()
            .add("after", after)
            .add("inARow", inARow)
            .add("retryFrom", retryFrom)
            .add("failedSince", failedSince)
            .add("refusals", refused);
    pace.addTo(place);
    return place.build().toString();
  }

  /** Messages are done. */
  KeptProgress done(long last) {
    return new KeptProgress(last, 0, 0, 0, refusals, pace);
  }

  /** A message could not be sent. */
  KeptProgress refused(long id, boolean atBroker, String why) {
    int refusedInARow = atBroker ? inARow + 1 : inARow;
    List<Refusal> all = new ArrayList<>(firstRefusals());
    all.add(new Refusal(id, Storable.line(why, LONGEST_REASON)));
    return new KeptProgress(
        id,
        refusedInARow,
        refusedInARow == 1 && inARow == 0 ? after : retryFrom,
        refusedInARow == 0 ? 0 : failedSince + 1,
        List.copyOf(all),
        pace);
  }

  /** Begins again with the first message that the broker has refused. */
  KeptProgress again() {
    List<Refusal> before = refusals.stream().filter(each -> each.id() <= retryFrom).toList();
    return new KeptProgress(retryFrom, 0, 0, 0, before, pace);
  }
}
