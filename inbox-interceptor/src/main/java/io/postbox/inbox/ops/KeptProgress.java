package io.postbox.inbox.ops;

import io.postbox.inbox.RedrivePace;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import java.io.StringReader;

/**
 * Where an action on kept messages goes on. Immutable.
 *
 * @param after the id up to which all messages are done, or could not be sent
 * @param marked the id up to which parked messages are marked
 * @param inARow how many the broker has refused since it last took one
 * @param retryFrom the id after which the first of these comes
 * @param failedSince how many could not be sent since that id
 * @param refusal which message could not be sent last, and why; empty if there is none
 * @param pace how far it has come with its first messages and its rate
 */
record KeptProgress(
    long after,
    long marked,
    int inARow,
    long retryFrom,
    int failedSince,
    String refusal,
    KeptPace pace) {

  static KeptProgress of(String json) {
    if (json.isEmpty()) {
      return begin(RedrivePace.FASTEST);
    }
    try (JsonReader reader = KeptActionPlan.JSON.createReader(new StringReader(json))) {
      JsonObject place = reader.readObject();
      return new KeptProgress(
          place.getJsonNumber("after").longValue(),
          place.getJsonNumber("marked").longValue(),
          place.getInt("inARow"),
          place.getJsonNumber("retryFrom").longValue(),
          place.getInt("failedSince"),
          place.getString("refusal"),
          KeptPace.of(place));
    }
  }

  /** The place in a row, or the beginning of an action. */
  static KeptProgress of(String json, RedrivePace pace) {
    return json.isEmpty() ? begin(pace) : of(json);
  }

  private static KeptProgress begin(RedrivePace pace) {
    return new KeptProgress(0, 0, 0, 0, 0, "", KeptPace.begin(pace));
  }

  /** The same with another pace. */
  KeptProgress with(KeptPace other) {
    return new KeptProgress(after, marked, inARow, retryFrom, failedSince, refusal, other);
  }

  String toJson() {
    JsonObjectBuilder place =
        KeptActionPlan.JSON
            .createObjectBuilder()
            .add("after", after)
            .add("marked", marked)
            .add("inARow", inARow)
            .add("retryFrom", retryFrom)
            .add("failedSince", failedSince)
            .add("refusal", refusal);
    pace.addTo(place);
    return place.build().toString();
  }

  /** Messages are marked. */
  KeptProgress marked(long last) {
    return new KeptProgress(after, last, inARow, retryFrom, failedSince, refusal, pace);
  }

  /** Messages are done. */
  KeptProgress done(long last) {
    return new KeptProgress(last, marked, 0, 0, 0, refusal, pace);
  }

  /** A message could not be sent. */
  KeptProgress refused(long id, boolean atBroker, String why) {
    int refusals = atBroker ? inARow + 1 : inARow;
    return new KeptProgress(
        id,
        marked,
        refusals,
        refusals == 1 && inARow == 0 ? after : retryFrom,
        refusals == 0 ? 0 : failedSince + 1,
        "message %s: %s".formatted(id, why),
        pace);
  }

  /** Begins again with the first message that the broker has refused. */
  KeptProgress again() {
    return new KeptProgress(retryFrom, marked, 0, 0, 0, refusal, pace);
  }
}
