package io.postbox.common.ops;

import io.postbox.common.ErasureReport.Erased;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
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
  private static final JsonProvider JSON = JsonProvider.provider();

  /** What a row has; it is empty before the first step. */
  static ErasureProgress of(String json) {
    if (json.isEmpty()) {
      return new ErasureProgress(0, "", false, Map.of());
    }
    try (JsonReader reader = JSON.createReader(new StringReader(json))) {
      JsonObject stored = reader.readObject();
      Map<String, Long> erased = new LinkedHashMap<>();
      stored
          .getJsonObject("erased")
          .forEach((name, rows) -> erased.put(name, Long.valueOf(rows.toString())));
      return new ErasureProgress(
          stored.getInt("place"),
          stored.getString("after"),
          stored.get("found") == JsonValue.TRUE || stored.getBoolean("found"),
          erased);
    }
  }

  String toJson() {
    JsonObjectBuilder counts = JSON.createObjectBuilder();
    erased.forEach(counts::add);
    return JSON.createObjectBuilder()
        .add("place", place)
        .add("after", after)
        .add("found", found)
        .add("erased", counts)
        .build()
        .toString();
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
