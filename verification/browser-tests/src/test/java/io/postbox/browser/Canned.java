package io.postbox.browser;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers of the API as they are kept in {@code api/NAME.json}. There {@code "@-300"} is a time,
 * 300 seconds before now. With hostile strings, every text that somebody else chooses is replaced.
 */
final class Canned {
  /** Texts to show as they are: markup that would run, a text that turns around, a long one. */
  static final List<String> HOSTILE =
      List.of(
          "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>",
          "\u202Egnp.exe\u202D \u05D0\u05D1\u05D2 '\"`;--${7*7}{{7*7}} =HYPERLINK(\"javascript:alert(1)\")",
          "W".repeat(10_000));

  /** Fields whose texts the server chooses, and no stranger. */
  private static final Set<String> OWN =
      Set.of(
          "action",
          "default",
          "id",
          "kind",
          "link",
          "module",
          "next",
          "now",
          "relay",
          "roles",
          "service",
          "severity",
          "signature",
          "source",
          "state",
          "status",
          "traceParent",
          "where");

  private final boolean hostile;
  private final AtomicInteger hostileStrings = new AtomicInteger();

  Canned(boolean hostile) {
    this.hostile = hostile;
  }

  /** The file of this name, as an answer of now. */
  JsonObject object(String name) {
    return (JsonObject) ofNow("", read(name));
  }

  /** The file of this name, which contains a list. */
  JsonArray list(String name) {
    return (JsonArray) ofNow("", read(name));
  }

  /** The list in the file of this name that is an answer with items. */
  JsonArray items(String name) {
    return object(name).getJsonArray("items");
  }

  private static JsonValue read(String name) {
    try (InputStream file = Canned.class.getResourceAsStream("/api/" + name + ".json");
        JsonReader reader = Json.createReader(file)) {
      return reader.readValue();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private JsonValue ofNow(String name, JsonValue value) {
    return switch (value.getValueType()) {
      case OBJECT -> {
        JsonObjectBuilder object = Json.createObjectBuilder();
        value.asJsonObject().forEach((key, each) -> object.add(key, ofNow(key, each)));
        yield object.build();
      }
      case ARRAY -> {
        JsonArrayBuilder array = Json.createArrayBuilder();
        value.asJsonArray().forEach(each -> array.add(ofNow(name, each)));
        yield array.build();
      }
      case STRING -> text(name, ((JsonString) value).getString());
      default -> value;
    };
  }

  private JsonString text(String name, String value) {
    if (value.matches("@-?\\d+")) {
      return Json.createValue(time(Long.parseLong(value.substring(1))));
    }
    return Json.createValue(
        hostile && !OWN.contains(name)
            ? HOSTILE.get(hostileStrings.getAndIncrement() % HOSTILE.size())
            : value);
  }

  /** So many seconds from now, as the API writes times. */
  static String time(long seconds) {
    return Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
