package io.postbox.console.http;

import io.postbox.common.text.ByteOrderMark;
import io.postbox.common.text.Storable;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fields of a JSON object that came in. Every reading method refuses a value of another type or
 * out of its bounds with a {@link Problem}.
 */
public final class Fields {
  /** No fields. */
  static final Fields NONE = new Fields(JsonValue.EMPTY_JSON_OBJECT);

  private static final int LONGEST_REASON = 1_000;
  private static final int DEEPEST = 10;
  private static final BigDecimal MANY = BigDecimal.valueOf(1_000_000_000);

  private final JsonObject object;

  private Fields(JsonObject object) {
    this.object = object;
  }

  /** Reads an object; nothing at all is an object without fields. */
  static Fields parse(byte[] json) {
    if (json.length == 0) {
      return NONE;
    }
    try {
      String text =
          ByteOrderMark.skip(
              StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString());
      if (!isOneShallowValue(text)) {
        throw Problem.notJson();
      }
      try (JsonReader reader = readers().createReader(new StringReader(text))) {
        return new Fields(reader.readObject());
      }
    } catch (CharacterCodingException | JsonException unreadable) {
      throw Problem.notJson();
    }
  }

  /**
   * Whether nothing follows the value, and it is not nested deeply: a parser may ignore the one,
   * and fail in a way of its own on the other. Whether it is JSON is the parser's to say.
   */
  private static boolean isOneShallowValue(String text) {
    int depth = 0;
    boolean inText = false;
    boolean ended = false;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (inText) {
        i += each == '\\' ? 1 : 0;
        inText = each != '"';
      } else if (ended) {
        if (!Character.isWhitespace(each)) {
          return false;
        }
      } else if (each == '"') {
        inText = true;
      } else if (each == '{' || each == '[') {
        depth++;
        if (depth > DEEPEST) {
          return false;
        }
      } else if (each == '}' || each == ']') {
        depth--;
        ended = depth == 0;
      }
    }
    return true;
  }

  private static JsonReaderFactory readers() {
    return jakarta.json.Json.createReaderFactory(
        Map.of(jakarta.json.JsonConfig.KEY_STRATEGY, jakarta.json.JsonConfig.KeyStrategy.NONE));
  }

  /** Refuses every field but these. */
  public Fields only(String... known) {
    TreeSet<String> unknown = new TreeSet<>(object.keySet());
    List.of(known).forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw Problem.invalid(
          "There is no field %s here; nothing was changed.".formatted(quoted(unknown.first())),
          "Use: " + String.join(", ", known) + ".");
    }
    return this;
  }

  /** Why somebody does something, for the record: 1 to 1,000 characters. */
  public String reason() {
    String reason = optional("reason", LONGEST_REASON).map(String::strip).orElse("");
    if (reason.isEmpty()) {
      throw Problem.invalid(
          "There is no reason; nothing was changed.",
          "Say why, in 1 to 1,000 characters: it is kept with your name.");
    }
    return reason;
  }

  /** A text that must be there. */
  public String text(String name, int longest) {
    return optional(name, longest)
        .filter(it -> !it.isBlank())
        .orElseThrow(
            () ->
                Problem.invalid(
                    "The field %s is missing; nothing was changed.".formatted(name),
                    "Give it, with up to %s characters.".formatted(longest)));
  }

  /** A text, or nothing. */
  public Optional<String> optional(String name, int longest) {
    if (!has(name)) {
      return Optional.empty();
    }
    if (!(object.get(name) instanceof JsonString text) || text.getString().length() > longest) {
      throw Problem.invalid(
          "The field %s is no text of up to %s characters; nothing was changed."
              .formatted(name, longest),
          "Give it as text.");
    }
    if (!Storable.isText(text.getString())) {
      throw Problem.invalid(
          "The field %s has a NUL or half of a character; nothing was changed.".formatted(name),
          "Leave it out: no database stores it.");
    }
    return Optional.of(text.getString());
  }

  /** Whether there is a value of this name. */
  boolean has(String name) {
    return object.getOrDefault(name, JsonValue.NULL) != JsonValue.NULL;
  }

  /** Octets in Base64, or nothing. */
  public Optional<byte[]> octets(String name) {
    try {
      return optional(name, Integer.MAX_VALUE).map(text -> Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException unreadable) {
      throw Problem.invalid(
          "The field %s is no Base64; nothing was changed.".formatted(name),
          "Encode the octets with the standard alphabet.");
    }
  }

  /** A whole number, or nothing. */
  public Optional<Integer> whole(String name, int least, int most) {
    if (!has(name)) {
      return Optional.empty();
    }
    if (object.get(name) instanceof JsonNumber number && number.isIntegral()) {
      long read = number.bigDecimalValue().precision() > 18 ? Long.MAX_VALUE : number.longValue();
      if (read >= least && read <= most) {
        return Optional.of((int) read);
      }
    }
    throw Problem.invalid(
        "The field %s is no whole number from %s to %s; nothing was changed."
            .formatted(name, least, most),
        "Give such a number.");
  }

  /** A duration in seconds, to the millisecond, or nothing. */
  public Optional<Duration> seconds(String name, Duration least, Duration most) {
    if (!has(name)) {
      return Optional.empty();
    }
    if (object.get(name) instanceof JsonNumber number
        && number.bigDecimalValue().abs().compareTo(MANY) < 0) {
      long millis = number.bigDecimalValue().movePointRight(3).longValue();
      if (millis >= least.toMillis() && millis <= most.toMillis()) {
        return Optional.of(Duration.ofMillis(millis));
      }
    }
    throw Problem.invalid(
        "The field %s is no number of seconds from %s to %s; nothing was changed."
            .formatted(name, seconds(least), seconds(most)),
        "Give such a number.");
  }

  private static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  /** An object, empty if it is absent. */
  public Fields object(String name) {
    if (!has(name)) {
      return NONE;
    }
    if (!(object.get(name) instanceof JsonObject inner)) {
      throw Problem.invalid(
          "The field %s is no object; nothing was changed.".formatted(name),
          "Give an object, for instance {} for all.");
    }
    return new Fields(inner);
  }

  /** The names. */
  public Set<String> names() {
    return object.keySet();
  }

  /** A name from outside, short and without control characters. */
  static String quoted(String name) {
    String printable = Storable.printable(name);
    return "\"" + (printable.length() > 50 ? printable.substring(0, 50) + "..." : printable) + "\"";
  }
}
