package io.postbox.console.http;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A list as comma-separated values (RFC 4180) for spreadsheets: every cell is quoted, and a text
 * that a spreadsheet could take for a formula begins with an apostrophe.
 */
final class Csv {
  /** With these a spreadsheet begins a formula, some of them behind white space. */
  private static final String FORMULA = "=+-@|%\t\r\n＝＋－＠";

  private static final String END = "\r\n";

  private Csv() {}

  /**
   * The list: a line with the names of all fields, in the order in which they first come, and a
   * line for each object. An object or a list in a field is its JSON.
   */
  static String of(JsonArray items) {
    Set<String> names = new LinkedHashSet<>();
    items.forEach(item -> names.addAll(item.asJsonObject().keySet()));
    StringBuilder lines = new StringBuilder();
    lines.append(names.stream().map(Csv::quoted).collect(Collectors.joining(","))).append(END);
    for (JsonValue item : items) {
      JsonObject object = item.asJsonObject();
      lines
          .append(
              names.stream().map(name -> cell(object.get(name))).collect(Collectors.joining(",")))
          .append(END);
    }
    return lines.toString();
  }

  private static String cell(@Nullable JsonValue value) {
    if (value == null || value.getValueType() == JsonValue.ValueType.NULL) {
      return "";
    }
    return value instanceof JsonString text
        ? quoted(harmless(text.getString()))
        : quoted(Objects.toString(value));
  }

  private static String harmless(String text) {
    return beginsFormula(text) || beginsFormula(text.stripLeading()) ? "'" + text : text;
  }

  private static boolean beginsFormula(String text) {
    return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }
}
