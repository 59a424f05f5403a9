package io.postbox.inbox.ops;

import io.postbox.common.ops.RedriveCourse;
import io.postbox.common.text.FlatJson;
import io.postbox.common.text.Storable;
import io.postbox.inbox.Redriven.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where an action on kept messages goes on. Immutable.
 *
 * @param after the id up to which all messages are done, or could not be sent
 * @param inARow how many the broker has refused since it last took one
 * @param retryFrom the id after which the first of these comes
 * @param failedSince how many could not be sent since that id
 * @param refusals the first messages that could not be sent, and behind 100 of them the last one
 * @param course of a redrive
 */
record KeptProgress(
    long after,
    int inARow,
    long retryFrom,
    int failedSince,
    List<Refusal> refusals,
    RedriveCourse course) {
  private static final int MOST_REFUSALS = 100;

  /** Each step that sends a message writes all of them again. */
  private static final int LONGEST_REASON = 300;

  private static final String REFUSED = "refused.";

  /**
   * The place in a row, or the beginning of an action.
   *
   * @param first how many of its messages go ahead of the others
   */
  static KeptProgress of(String json, int first) {
    Map<String, String> fields = FlatJson.parse(json);
    return new KeptProgress(
        Long.parseLong(fields.getOrDefault("after", "0")),
        Integer.parseInt(fields.getOrDefault("inARow", "0")),
        Long.parseLong(fields.getOrDefault("retryFrom", "0")),
        Integer.parseInt(fields.getOrDefault("failedSince", "0")),
        FlatJson.under(REFUSED, fields).entrySet().stream()
            .map(each -> new Refusal(Long.parseLong(each.getKey()), each.getValue()))
            .toList(),
        RedriveCourse.of(fields, first));
  }

  /** The same with another course. */
  KeptProgress with(RedriveCourse other) {
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
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("after", String.valueOf(after));
    fields.put("inARow", String.valueOf(inARow));
    fields.put("retryFrom", String.valueOf(retryFrom));
    fields.put("failedSince", String.valueOf(failedSince));
    course.addTo(fields);
    refusals.forEach(each -> fields.put(REFUSED + each.id(), each.reason()));
    return FlatJson.of(fields);
  }

  /** Messages are done. */
  KeptProgress done(long last) {
    return new KeptProgress(last, 0, 0, 0, refusals, course);
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
        course);
  }

  /** Begins again with the first message that the broker has refused. */
  KeptProgress again() {
    List<Refusal> before = refusals.stream().filter(each -> each.id() <= retryFrom).toList();
    return new KeptProgress(retryFrom, 0, 0, 0, before, course);
  }
}
