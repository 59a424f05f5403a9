package io.postbox.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The measurements, printed and kept beside the build as Markdown and as JSON. */
final class Report {
  private final String name;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, Figures> figures = new LinkedHashMap<>();

  Report(String name, String title) {
    this.name = name;
    lines.add("# " + title);
    lines.add("");
    Machine.describe().forEach(line -> lines.add("- " + line));
    lines.add("");
  }

  void say(String line) {
    lines.add(line);
  }

  void beginTable(String unit) {
    lines.add("");
    lines.add("| | median, " + unit + " | each |");
    lines.add("| --- | ---: | --- |");
  }

  void row(String what, Figures values, String format) {
    figures.put(what, values);
    lines.add(
        "| %s | %s | %s |"
            .formatted(
                what,
                String.format(Locale.ROOT, format, values.median()),
                values.values().size() > 20 ? "" : values.all(format)));
  }

  void write(Path folder) {
    String json =
        figures.entrySet().stream()
            .map(it -> "  \"%s\": %s".formatted(it.getKey(), it.getValue().values()))
            .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
    String text = String.join("\n", lines) + "\n";
    System.out.println(text);
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name + ".md"), text);
      Files.writeString(folder.resolve(name + ".json"), json);
    } catch (IOException e) {
      throw new UncheckedIOException("The report cannot be written to " + folder, e);
    }
  }
}
