package io.postbox.inbox.jms;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import jakarta.json.stream.JsonParsingException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON columns with the server's JSON-P. It writes plain ASCII, which every
 * database stores unchanged. A typed value names its type: {@code "integer:5"}, {@code
 * "bytes:AQI="}, {@code null}. The reader processes one event at a time and builds only known
 * structures, so deeply nested input is harmless.
 */
final class Json {
  private static final int DEEPEST = 2;
  private static final int ESCAPED = "\\u0000".length();

  /** Cached, because every static method of {@code jakarta.json.Json} looks up a provider first. */
  private static final JsonProvider JSON = JsonProvider.provider();

  private Json() {}

  static String plain(Map<String, @Nullable Object> values) {
    return object(values, value -> JSON.createValue(String.valueOf(value)));
  }

  static String typed(Map<String, @Nullable Object> values) {
    return object(values, Json::typedValue);
  }

  static String typed(Collection<@Nullable Object> values) {
    JsonArrayBuilder array = JSON.createArrayBuilder();
    values.forEach(value -> array.add(typedValue(value)));
    return ascii(array.build());
  }

  /** Writes an object again as it was read. */
  static String asRead(Map<String, @Nullable Object> values) {
    return object(
        values, value -> value == null ? JsonValue.NULL : JSON.createValue(String.valueOf(value)));
  }

  /** The most characters that a name with a value takes, with what separates it from others. */
  static long lengthOf(String name, String value) {
    return "\"\":\"\",".length() + lengthOf(name) + lengthOf(value);
  }

  /** The most characters that a value takes with its type, and with what separates it. */
  static long lengthOf(@Nullable Object value) {
    if (value == null) {
      return "null,".length();
    }
    long length = "\"\",".length();
    if (value instanceof byte[] bytes) {
      return length + "bytes:".length() + 4 * ((bytes.length + 2L) / 3);
    }
    return length
        + (value instanceof String text
            ? "string:".length() + lengthOf(text)
            : lengthOf(withType(value)));
  }

  private static long lengthOf(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      length += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? 1 : ESCAPED;
    }
    return length;
  }

  private static String object(
      Map<String, @Nullable Object> values, Function<@Nullable Object, JsonValue> write) {
    JsonObjectBuilder object = JSON.createObjectBuilder();
    values.forEach((name, value) -> object.add(name, write.apply(value)));
    return ascii(object.build());
  }

  private static JsonValue typedValue(@Nullable Object value) {
    return value == null ? JsonValue.NULL : JSON.createValue(withType(value));
  }

  /** A value as text with its type. */
  static String withType(Object value) {
    return value instanceof byte[] bytes
        ? "bytes:" + Base64.getEncoder().encodeToString(bytes)
        : value.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ":" + value;
  }

  /** Escapes all characters beyond ASCII, which JSON has only within strings. */
  private static String ascii(JsonStructure structure) {
    String json = structure.toString();
    int beyond = 0;
    for (int i = 0; i < json.length(); i++) {
      if (json.charAt(i) > '~') {
        beyond++;
      }
    }
    if (beyond == 0) {
      return json;
    }
    HexFormat hex = HexFormat.of();
    StringBuilder out = new StringBuilder(Math.toIntExact(json.length() + (ESCAPED - 1L) * beyond));
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c > '~') {
        out.append("\\u");
        hex.toHexDigits(out, (byte) (c >> 8));
        hex.toHexDigits(out, (byte) c);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /**
   * Reads an object, whose values are strings, nulls or objects of strings and nulls. Of several
   * values of one name, the last one counts.
   *
   * @throws IllegalArgumentException if it is none of ours
   */
  static Map<String, @Nullable Object> object(String json) {
    return read(json, Event.START_OBJECT, parser -> object(parser, 1));
  }

  /**
   * Reads an array of strings and nulls.
   *
   * @throws IllegalArgumentException if it is none of ours
   */
  static List<@Nullable Object> array(String json) {
    return read(
        json,
        Event.START_ARRAY,
        parser -> {
          List<@Nullable Object> read = new ArrayList<>();
          for (Event next = parser.next(); next != Event.END_ARRAY; next = parser.next()) {
            read.add(value(parser, next, DEEPEST));
          }
          return read;
        });
  }

  private static <T> T read(String json, Event first, Function<JsonParser, T> read) {
    try (JsonParser parser = JSON.createParser(new StringReader(json))) {
      if (parser.next() != first) {
        throw unreadable(parser);
      }
      T all = read.apply(parser);
      if (parser.hasNext()) {
        throw unreadable(parser);
      }
      return all;
    } catch (JsonParsingException not) {
      throw unreadable(not.getLocation().getStreamOffset());
    } catch (JsonException | NoSuchElementException not) {
      throw unreadable(json.length());
    }
  }

  private static Map<String, @Nullable Object> object(JsonParser parser, int depth) {
    Map<String, @Nullable Object> read = new LinkedHashMap<>();
    while (parser.next() != Event.END_OBJECT) {
      String name = parser.getString();
      read.put(name, value(parser, parser.next(), depth));
    }
    return read;
  }

  private static @Nullable Object value(JsonParser parser, Event event, int depth) {
    return switch (event) {
      case VALUE_STRING -> parser.getString();
      case VALUE_NULL -> null;
      case START_OBJECT -> {
        if (depth < DEEPEST) {
          yield object(parser, depth + 1);
        }
        throw unreadable(parser);
      }
      default -> throw unreadable(parser);
    };
  }

  private static IllegalArgumentException unreadable(JsonParser parser) {
    return unreadable(parser.getLocation().getStreamOffset());
  }

  /** The exception with the position, and without the parser's text, which may quote a payload. */
  private static IllegalArgumentException unreadable(long at) {
    return new IllegalArgumentException("not the inbox's JSON at character " + Math.max(0, at));
  }

  /**
   * Reads a value that was written with its type.
   *
   * @throws IllegalArgumentException if there is no such type
   */
  static @Nullable Object valueOf(@Nullable Object written) {
    if (written == null) {
      return null;
    }
    if (!(written instanceof String text) || text.indexOf(':') < 0) {
      throw new IllegalArgumentException("a value without its type");
    }
    String type = text.substring(0, text.indexOf(':'));
    try {
      return valueOf(type, text.substring(type.length() + 1));
    } catch (IllegalArgumentException | IndexOutOfBoundsException untellable) {
      // without the cause, whose text contains the value
      throw new IllegalArgumentException("a value that is not of its type");
    }
  }

  private static Object valueOf(String type, String value) {
    return switch (type) {
      case "string" -> value;
      case "boolean" -> truth(value);
      case "byte" -> Byte.valueOf(value);
      case "short" -> Short.valueOf(value);
      case "character" -> only(value);
      case "integer" -> Integer.valueOf(value);
      case "long" -> Long.valueOf(value);
      case "float" -> Float.valueOf(value);
      case "double" -> Double.valueOf(value);
      case "bytes" -> Base64.getDecoder().decode(value);
      default -> throw new IllegalArgumentException();
    };
  }

  private static boolean truth(String value) {
    if (value.equals("true") || value.equals("false")) {
      return value.equals("true");
    }
    throw new IllegalArgumentException();
  }

  private static char only(String value) {
    if (value.length() != 1) {
      throw new IllegalArgumentException();
    }
    return value.charAt(0);
  }
}
