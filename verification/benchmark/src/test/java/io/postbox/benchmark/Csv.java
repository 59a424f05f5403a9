package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines of comma-separated values, as RFC 4180 has them, but with line feeds. */
final class Csv {
  private final List<String> lines = new ArrayList<>();

  Csv(String... header) {
    line((Object[]) header);
  }

  void line(Object... fields) {
    lines.add(Stream.of(fields).map(Csv::quoted).collect(Collectors.joining(",")));
  }

  private static String quoted(Object field) {
    String text = String.valueOf(field);
    return text.chars().anyMatch(it -> it == ',' || it == '"' || it == '\n' || it == '\r')
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
