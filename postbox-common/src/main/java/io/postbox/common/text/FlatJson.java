package io.postbox.common.text;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A JSON object of texts, as columns of actions hold it, without a JSON library. Values are
 * percent-encoded, so that none needs an escape.
 */
public final class FlatJson {
  /** Behind the one before: other JSON has no fields, for its texts are not percent-encoded. */
  private static final Pattern FIELD = Pattern.compile("\\G[{,]\"([^\"\\\\]+)\":\"([^\"\\\\]*)\"");

  private FlatJson() {}

  /** Writes an object, in the map's order; names are letters, digits, dots and hyphens. */
  public static String of(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(each -> "\"%s\":%s".formatted(each.getKey(), value(each.getValue())))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** A text as it stands in an object. */
  public static String value(String text) {
    return '"' + part(text) + '"';
  }

  /** A part of a text as it stands in an object. */
  public static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Reads what {@link #of} wrote. */
  public static Map<String, String> parse(String json) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (Matcher field = FIELD.matcher(json); field.find(); ) {
      fields.put(field.group(1), URLDecoder.decode(field.group(2), StandardCharsets.UTF_8));
    }
    return fields;
  }

  /** The fields whose names begin with a prefix, in their order and without it. */
  public static Map<String, String> under(String prefix, Map<String, String> fields) {
    Map<String, String> under = new LinkedHashMap<>();
    fields.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            under.put(name.substring(prefix.length()), value);
          }
        });
    return under;
  }
}
