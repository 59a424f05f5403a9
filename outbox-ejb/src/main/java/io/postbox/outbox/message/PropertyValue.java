package io.postbox.outbox.message;

import java.util.Map;
import java.util.function.Function;

/** The values that a JMS property can have, and their text form, which keeps the type. */
public final class PropertyValue {
  private static final Map<String, Function<String, Object>> PARSERS =
      Map.of(
          "string", text -> text,
          "boolean", PropertyValue::truth,
          "byte", Byte::valueOf,
          "short", Short::valueOf,
          "integer", Integer::valueOf,
          "long", Long::valueOf,
          "float", Float::valueOf,
          "double", Double::valueOf);

  private PropertyValue() {}

  /** Whether JMS can carry it as a property. */
  public static boolean isAllowed(Object value) {
    return PARSERS.containsKey(type(value))
        && value.getClass().getPackageName().equals("java.lang");
  }

  static String format(Object value) {
    return type(value) + ":" + value;
  }

  static Object parse(String text) {
    int colon = text.indexOf(':');
    Function<String, Object> parser = PARSERS.get(text.substring(0, Math.max(0, colon)));
    if (parser == null) {
      throw new IllegalArgumentException("no such property type: " + text);
    }
    return parser.apply(text.substring(colon + 1));
  }

  private static Object truth(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    throw new IllegalArgumentException("a boolean that is neither true nor false");
  }

  private static String type(Object value) {
    return value.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }
}
