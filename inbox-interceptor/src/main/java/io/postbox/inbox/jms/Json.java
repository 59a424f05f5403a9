package io.postbox.inbox.jms;

import java.util.Base64;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in plain ASCII, so that every database keeps it, whatever a message holds. A typed
 * value says what it was: {@code "integer:5"}, {@code "bytes:AQI="}, {@code null}.
 */
final class Json {
  private Json() {}

  static String plain(Map<String, @Nullable Object> values) {
    return object(values, value -> string(String.valueOf(value)));
  }

  static String typed(Map<String, @Nullable Object> values) {
    return object(values, Json::typedValue);
  }

  static String typed(Collection<@Nullable Object> values) {
    return values.stream().map(Json::typedValue).collect(Collectors.joining(",", "[", "]"));
  }

  private static String object(
      Map<String, @Nullable Object> values, Function<@Nullable Object, String> write) {
    return values.entrySet().stream()
        .map(entry -> string(entry.getKey()) + ":" + write.apply(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String typedValue(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof byte[] bytes) {
      return string("bytes:" + Base64.getEncoder().encodeToString(bytes));
    }
    return string(value.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ":" + value);
  }

  private static String string(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
