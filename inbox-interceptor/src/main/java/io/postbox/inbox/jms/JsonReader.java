package io.postbox.inbox.jms;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link Json} writes, and little other JSON: objects of strings, nulls and such objects
 * of strings and nulls, and arrays of strings and nulls, without blanks. So the inbox needs no JSON
 * feature of the server. Not thread-safe.
 */
final class JsonReader {
  private static final int DEEPEST = 2;
  private static final int DIGITS_OF_UNIT = 4;

  private final String json;
  private int at;

  private JsonReader(String json) {
    this.json = json;
  }

  /**
   * Reads an object, whose values are strings, nulls or objects of strings and nulls.
   *
   * @throws IllegalArgumentException if it is none of ours
   */
  static Map<String, @Nullable Object> object(String json) {
    JsonReader reader = new JsonReader(json);
    Map<String, @Nullable Object> read = reader.object(1);
    reader.end();
    return read;
  }

  /**
   * Reads an array of strings and nulls.
   *
   * @throws IllegalArgumentException if it is none of ours
   */
  static List<@Nullable Object> array(String json) {
    JsonReader reader = new JsonReader(json);
    reader.expect('[');
    List<@Nullable Object> read = new ArrayList<>();
    while (reader.more(']', read.isEmpty())) {
      read.add(reader.value(DEEPEST));
    }
    reader.end();
    return read;
  }

  /**
   * The value that was written with its type.
   *
   * @throws IllegalArgumentException if there is no such type
   */
  static @Nullable Object typed(@Nullable Object written) {
    if (written == null) {
      return null;
    }
    if (!(written instanceof String text) || text.indexOf(':') < 0) {
      throw new IllegalArgumentException("a value without its type");
    }
    String type = text.substring(0, text.indexOf(':'));
    try {
      return typed(type, text.substring(type.length() + 1));
    } catch (IllegalArgumentException | IndexOutOfBoundsException untellable) {
      // which would tell the value
      throw new IllegalArgumentException("a value that is not of its type");
    }
  }

  private static Object typed(String type, String value) {
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

  private Map<String, @Nullable Object> object(int depth) {
    expect('{');
    Map<String, @Nullable Object> read = new LinkedHashMap<>();
    while (more('}', read.isEmpty())) {
      String name = string();
      expect(':');
      read.put(name, value(depth));
    }
    return read;
  }

  private @Nullable Object value(int depth) {
    if (json.startsWith("null", at)) {
      at += 4;
      return null;
    }
    return depth < DEEPEST && at < json.length() && json.charAt(at) == '{'
        ? object(depth + 1)
        : string();
  }

  private boolean more(char end, boolean first) {
    if (at < json.length() && json.charAt(at) == end) {
      at++;
      return false;
    }
    if (!first) {
      expect(',');
    }
    return true;
  }

  private String string() {
    expect('"');
    StringBuilder text = new StringBuilder();
    for (char next = next(); next != '"'; next = next()) {
      if (next < ' ') {
        throw unreadable();
      }
      text.append(next == '\\' ? escaped() : next);
    }
    return text.toString();
  }

  private char escaped() {
    char next = next();
    if (next == '"' || next == '\\') {
      return next;
    }
    if (next != 'u') {
      throw unreadable();
    }
    int unit = 0;
    for (int i = 0; i < DIGITS_OF_UNIT; i++) {
      char digit = next();
      if (!HexFormat.isHexDigit(digit)) {
        throw unreadable();
      }
      unit = unit << 4 | HexFormat.fromHexDigit(digit);
    }
    return (char) unit;
  }

  private void expect(char wanted) {
    if (next() != wanted) {
      throw unreadable();
    }
  }

  private char next() {
    if (at == json.length()) {
      throw unreadable();
    }
    return json.charAt(at++);
  }

  private void end() {
    if (at < json.length()) {
      throw unreadable();
    }
  }

  /** Where, but not what: it is somebody's payload. */
  private IllegalArgumentException unreadable() {
    return new IllegalArgumentException("not the inbox's JSON at character " + at);
  }
}
