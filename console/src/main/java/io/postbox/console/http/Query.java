package io.postbox.console.http;

import io.postbox.common.text.Storable;
import jakarta.ws.rs.core.MultivaluedMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The parameters of an address, or the fields of a plan's filter: names, each with one text. Every
 * method refuses a value out of its bounds with a {@link Problem}.
 */
public final class Query {
  /** Of a value, in characters. */
  private static final int LONGEST = 1_000;

  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /** The parameters of an address; refuses unknown ones and repetitions. */
  public static Query of(MultivaluedMap<String, String> parameters, String... known) {
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, List<String>> each : parameters.entrySet()) {
      if (each.getValue().size() != 1) {
        throw Problem.invalid(
            "The parameter %s is given more than once.".formatted(Fields.quoted(each.getKey())),
            "Give it once.");
      }
      values.put(each.getKey(), each.getValue().get(0));
    }
    return checked(values, known);
  }

  /** The fields of a filter; refuses unknown ones. */
  public static Query of(Fields fields, String... known) {
    Map<String, String> values = new HashMap<>();
    for (String name : fields.names()) {
      fields.optional(name, LONGEST).ifPresent(value -> values.put(name, value));
    }
    return checked(values, known);
  }

  private static Query checked(Map<String, String> values, String... known) {
    TreeSet<String> unknown = new TreeSet<>(values.keySet());
    List.of(known).forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw Problem.invalid(
          "There is no filter %s here.".formatted(Fields.quoted(unknown.first())),
          "Use: " + String.join(", ", known) + ".");
    }
    values.forEach(
        (name, value) -> {
          if (value.isEmpty() || value.length() > LONGEST || !Storable.isText(value)) {
            throw Problem.invalid(
                "The filter %s has no value of 1 to %s whole characters, none of them NUL."
                    .formatted(name, LONGEST),
                "Leave it out, or give it such a value.");
          }
        });
    return new Query(values);
  }

  /** A value, or nothing. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** Two values that belong together, or nothing. */
  Optional<String[]> pair(String one, String other) {
    if (values.containsKey(one) != values.containsKey(other)) {
      throw Problem.invalid(
          "The filters %s and %s belong together.".formatted(one, other), "Give both, or neither.");
    }
    return text(one).map(value -> new String[] {value, values.getOrDefault(other, "")});
  }

  /**
   * The aggregate in the address, if there is one: both {@code aggregateType} and {@code
   * aggregateId}.
   */
  public <T> Optional<T> aggregate(BiFunction<String, String, T> exact) {
    return pair("aggregateType", "aggregateId").map(both -> exact.apply(both[0], both[1]));
  }

  /** The same where {@code aggregateId} alone is enough. */
  public <T> Optional<T> aggregate(BiFunction<String, String, T> exact, Function<String, T> byId) {
    if (values.containsKey("aggregateId") && !values.containsKey("aggregateType")) {
      return text("aggregateId").map(byId);
    }
    if (values.containsKey("aggregateType") && !values.containsKey("aggregateId")) {
      throw Problem.invalid(
          "An aggregate's type alone finds nothing.", "Give aggregateId too, or alone.");
    }
    return aggregate(exact);
  }

  /** A time, or nothing. */
  public Optional<Instant> time(String name) {
    return text(name).map(value -> instant(name, value));
  }

  private static Instant instant(String name, String value) {
    try {
      return Instant.parse(value);
    } catch (DateTimeException unreadable) {
      throw Problem.invalid(
          "The filter %s is no time.".formatted(name),
          "Write it in UTC, like 2026-11-23T22:00:00Z.");
    }
  }
}
