package io.postbox.inbox.ops;

import io.postbox.inbox.VersionGap;
import io.postbox.inbox.VersionGap.Here;
import io.postbox.inbox.VersionGap.Versions;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The gaps of a plan, as its row has them: what a skip compares with the present. */
final class PlannedGaps {
  /** The column takes 1,048,576 characters. */
  private static final int LONGEST = 1_000_000;

  /** Kept, for each of {@code Json}'s own methods looks for a provider first. */
  private static final JsonProvider JSON = JsonProvider.provider();

  private static final String BEGIN = "{\"gaps\":[";

  private PlannedGaps() {}

  /** How many of the gaps fit, from the first. */
  static int fitting(List<VersionGap> gaps) {
    int length = 0;
    for (int i = 0; i < gaps.size(); i++) {
      length += json(gaps.get(i)).length() + 1;
      if (length > LONGEST) {
        return i;
      }
    }
    return gaps.size();
  }

  static String toJson(List<VersionGap> gaps) {
    return BEGIN + String.join(",", gaps.stream().map(PlannedGaps::json).toList()) + "]}";
  }

  private static String json(VersionGap gap) {
    JsonArrayBuilder missing = JSON.createArrayBuilder();
    gap.missing().forEach(range -> missing.add(range.from()).add(range.to()));
    JsonArrayBuilder kept = JSON.createArrayBuilder();
    gap.kept().forEach(kept::add);
    JsonArrayBuilder here = JSON.createArrayBuilder();
    gap.here().forEach(each -> here.add(each.version()));
    return JSON.createObjectBuilder()
        .add("consumer", gap.consumer())
        .add("type", gap.aggregateType())
        .add("id", gap.aggregateId())
        .add("lastHandled", gap.lastHandled())
        .add("firstWaiting", gap.firstWaiting())
        .add("missing", missing)
        .add("waiting", gap.waiting())
        .add("since", gap.missingSince().toString())
        .add("kept", kept)
        .add("here", here)
        .build()
        .toString();
  }

  /** The gaps in a row; empty if it is for something else, or was erased. */
  static Optional<List<VersionGap>> of(String json) {
    if (!json.startsWith(BEGIN)) {
      return Optional.empty();
    }
    try (JsonReader reader = JSON.createReader(new StringReader(json))) {
      return Optional.of(
          reader.readObject().getJsonArray("gaps").getValuesAs(JsonObject.class).stream()
              .map(PlannedGaps::gap)
              .toList());
    }
  }

  /** Those that are here are known by their versions alone. */
  private static VersionGap gap(JsonObject gap) {
    List<Long> ends = numbers(gap.getJsonArray("missing"));
    List<Versions> missing = new ArrayList<>();
    for (int i = 0; i < ends.size(); i += 2) {
      missing.add(new Versions(ends.get(i), ends.get(i + 1)));
    }
    return new VersionGap(
        gap.getString("consumer"),
        gap.getString("type"),
        gap.getString("id"),
        gap.getJsonNumber("lastHandled").longValue(),
        gap.getJsonNumber("firstWaiting").longValue(),
        missing,
        gap.getJsonNumber("waiting").longValue(),
        Instant.parse(gap.getString("since")),
        numbers(gap.getJsonArray("kept")),
        numbers(gap.getJsonArray("here")).stream()
            .map(version -> new Here(version, "", ""))
            .toList());
  }

  private static List<Long> numbers(JsonArray array) {
    return array.getValuesAs(JsonNumber.class).stream().map(JsonNumber::longValue).toList();
  }
}
