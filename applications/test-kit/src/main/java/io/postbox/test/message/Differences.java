package io.postbox.test.message;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.Payload;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import jakarta.json.JsonValue.ValueType;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The differences of an enqueued message from an expected one. A part that the expected one does
 * not set may be anything. JSON is compared by its values, so that neither the order of names nor
 * white space matters.
 */
public final class Differences {
  private final Function<Object, String> toJson;
  private final List<String> found = new ArrayList<>();

  private Differences(Function<Object, String> toJson) {
    this.toJson = toJson;
  }

  /**
   * A line for each difference; empty if there is none.
   *
   * @param toJson converts an expected payload to JSON, as the outbox does
   */
  public static List<String> between(
      OutboxMessage expected, Recorded actual, Function<Object, String> toJson) {
    Differences differences = new Differences(toJson);
    differences.compare(expected, actual);
    return List.copyOf(differences.found);
  }

  private void compare(OutboxMessage expected, Recorded actual) {
    OutboxMessage is = actual.message();
    equal("destination", expected.destination(), is.destination());
    ifSet("event", expected, is, OutboxMessage::event);
    ifSet("aggregate", expected, is, it -> it.aggregate().map(a -> a.type() + "/" + a.id()));
    if (expected.aggregate().isPresent() || expected.orderingKey().isPresent()) {
      equal("ordering key", shown(expected.orderingKey()), shown(is.orderingKey()));
    }
    expected
        .properties()
        .forEach((name, value) -> equal("property " + name, value, is.properties().get(name)));
    ifSet("id", expected, is, OutboxMessage::id);
    ifSet("correlation id", expected, is, OutboxMessage::correlationId);
    ifSet("reply-to", expected, is, OutboxMessage::replyTo);
    ifSet("schema version", expected, is, OutboxMessage::schemaVersion);
    ifSet("aggregate version", expected, is, OutboxMessage::aggregateVersion);
    ifSet("not before", expected, is, OutboxMessage::notBefore);
    ifSet("expires after", expected, is, OutboxMessage::expiresAfter);
    ifSet("trace parent", expected, is, OutboxMessage::traceParent);
    ifSet("trace state", expected, is, OutboxMessage::traceState);
    expected.payload().ifPresent(payload -> payload(payload, actual));
  }

  private static String shown(Optional<String> key) {
    return key.orElse("none, as it is unordered");
  }

  private void ifSet(
      String part,
      OutboxMessage expected,
      OutboxMessage actual,
      Function<OutboxMessage, Optional<?>> of) {
    of.apply(expected).ifPresent(it -> equal(part, it, of.apply(actual).orElse(null)));
  }

  private void equal(String part, Object expected, @Nullable Object actual) {
    if (!expected.equals(actual)) {
      add(part, text(expected, actual), actual == null ? "not set" : text(actual, expected));
    }
  }

  /** With its type where the text alone would look the same. */
  private static String text(Object one, @Nullable Object other) {
    return other != null && one.toString().equals(other.toString())
        ? one + " (" + one.getClass().getSimpleName() + ")"
        : one.toString();
  }

  private void add(String part, String expected, String actual) {
    found.add("%s: expected %s, but was %s".formatted(part, expected, actual));
  }

  private void payload(Payload expected, Recorded actual) {
    String type = actual.stored().envelope().contentType();
    if (expected instanceof Payload.Json json) {
      json(toJson.apply(json.value()), actual.payload(), type);
    } else if (expected instanceof Payload.Text text) {
      equal("payload", text.value(), actual.payload());
    } else if (expected instanceof Payload.Bytes octets) {
      if (!(actual.message().payload().orElse(null) instanceof Payload.Bytes is)
          || !Arrays.equals(octets.value(), is.value())) {
        add("payload", HexFormat.of().formatHex(octets.value()), actual.payload());
      }
    } else {
      equal("payload", expected, actual.message().payload().orElse(null));
    }
  }

  private void json(String expected, String actual, String type) {
    try {
      compare("payload", parsed(expected), parsed(actual));
    } catch (JsonException noJson) {
      add("payload", expected, actual + " (" + type + ")");
    }
  }

  private static JsonValue parsed(String text) {
    try (var reader = Json.createReader(new StringReader(text))) {
      return reader.readValue();
    }
  }

  private void compare(String path, @Nullable JsonValue expected, @Nullable JsonValue actual) {
    if (expected instanceof JsonObject one && actual instanceof JsonObject other) {
      Set<String> names = new TreeSet<>(one.keySet());
      names.addAll(other.keySet());
      names.forEach(name -> compare(path + "." + name, one.get(name), other.get(name)));
    } else if (isArray(expected) && isArray(actual)) {
      JsonArray one = (JsonArray) Objects.requireNonNull(expected);
      JsonArray other = (JsonArray) Objects.requireNonNull(actual);
      for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
        compare(
            "%s[%s]".formatted(path, i),
            i < one.size() ? one.get(i) : null,
            i < other.size() ? other.get(i) : null);
      }
    } else if (!Objects.equals(expected, actual)) {
      add(
          path,
          expected == null ? "nothing" : expected.toString(),
          actual == null ? "missing" : actual.toString());
    }
  }

  private static boolean isArray(@Nullable JsonValue value) {
    return value != null && value.getValueType() == ValueType.ARRAY;
  }
}
