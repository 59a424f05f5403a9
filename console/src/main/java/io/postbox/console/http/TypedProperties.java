package io.postbox.console.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Properties of a message with their types, as payloads are shown: {@code "integer:5"}. */
public final class TypedProperties {
  private static final Map<String, Function<String, Object>> TYPES =
      Map.of(
          "string", text -> text,
          "boolean", TypedProperties::truth,
          "byte", Byte::valueOf,
          "short", Short::valueOf,
          "integer", Integer::valueOf,
          "long", Long::valueOf,
          "float", Float::valueOf,
          "double", Double::valueOf);

  private TypedProperties() {}

  /** The properties in a field of a request, if it is there. */
  public static Optional<Map<String, Object>> of(Fields fields, String name) {
    return fields.has(name) ? Optional.of(read(fields.object(name))) : Optional.empty();
  }

  private static Map<String, Object> read(Fields texts) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String name : texts.names()) {
      String text = texts.optional(name, Integer.MAX_VALUE).orElse("");
      int colon = Math.max(0, text.indexOf(':'));
      Function<String, Object> type = TYPES.get(text.substring(0, colon));
      if (type == null) {
        throw unreadable(name);
      }
      try {
        values.put(name, type.apply(text.substring(colon + 1)));
      } catch (IllegalArgumentException wrong) {
        throw unreadable(name);
      }
    }
    return values;
  }

  private static Object truth(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    throw new IllegalArgumentException();
  }

  private static Problem unreadable(String name) {
    return Problem.invalid(
        "The property %s has no type, or no value of it; nothing was changed."
            .formatted(Fields.quoted(name)),
        "Write type and value: string:red, boolean:true, integer:5; also byte, short, long, float,"
            + " double.");
  }
}
