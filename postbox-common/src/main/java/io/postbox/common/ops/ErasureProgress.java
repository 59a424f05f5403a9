package io.postbox.common.ops;

import io.postbox.common.ErasureReport.Erased;
import io.postbox.common.text.FlatJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where an erasure goes on, and what it has erased. Immutable.
 *
 * @param place the number of the place
 * @param after where in it
 * @param found whether this round has erased anything
 * @param erased how many rows so far, by the places' names
 */
record ErasureProgress(int place, String after, boolean found, Map<String, Long> erased) {
  private static final String ERASED = "erased.";

  /** The progress in a row, which is empty before the first step. */
  static ErasureProgress of(String json) {
    if (json.isEmpty()) {
      return new ErasureProgress(0, "", false, Map.of());
    }
    Map<String, String> fields = FlatJson.parse(json);
    Map<String, Long> erased = new LinkedHashMap<>();
    FlatJson.under(ERASED, fields).forEach((name, rows) -> erased.put(name, Long.valueOf(rows)));
    return new ErasureProgress(
        Integer.parseInt(fields.getOrDefault("place", "0")),
        fields.getOrDefault("after", ""),
        Boolean.parseBoolean(fields.get("found")),
        erased);
  }

  String toJson() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("place", String.valueOf(place));
    fields.put("after", after);
    fields.put("found", String.valueOf(found));
    erased.forEach((name, rows) -> fields.put(ERASED + name, String.valueOf(rows)));
    return FlatJson.of(fields);
  }

  /** Rows of the present place are erased, and it goes on in it. */
  ErasureProgress erased(String name, int rows, String next) {
    Map<String, Long> more = new LinkedHashMap<>(erased);
    if (rows > 0) {
      more.merge(name, (long) rows, Long::sum);
    }
    return new ErasureProgress(place, next, found || rows > 0, more);
  }

  /** It goes on in the next place. */
  ErasureProgress nextPlace() {
    return new ErasureProgress(place + 1, "", found, erased);
  }

  /** It goes on with the first place again: rows may have moved meanwhile. */
  ErasureProgress nextRound() {
    return new ErasureProgress(0, "", false, erased);
  }

  List<Erased> report() {
    return erased.entrySet().stream()
        .map(each -> new Erased(each.getKey(), each.getValue()))
        .toList();
  }
}
