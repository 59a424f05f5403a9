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

/**
 * The results, printed and kept beside the build: tables as Markdown, every value as CSV, plots as
 * SVG.
 */
final class Report {
  private static final int FEW = 20;

  private final String name;
  private final List<String> lines = new ArrayList<>();
  private final Csv values = new Csv("measured", "unit", "round", "value");
  private final Map<String, Plot> plots = new LinkedHashMap<>();
  private String unit = "";

  Report(String name, String title) {
    this(name, title, Machine.describe());
  }

  Report(String name, String title, List<String> machine) {
    this.name = name;
    lines.add("# " + title);
    lines.add("");
    machine.forEach(line -> lines.add("- " + line));
  }

  void say(String line) {
    lines.add(line);
  }

  void beginTable(String measured) {
    unit = measured;
    lines.add("");
    lines.add("| | median, " + unit + " | each |");
    lines.add("| --- | ---: | --- |");
  }

  void row(String what, Figures figures, String format) {
    for (int i = 0; i < figures.values().size(); i++) {
      values.line(what, unit, i + 1, figures.values().get(i));
    }
    lines.add(
        "| %s | %s | %s |"
            .formatted(
                what,
                String.format(Locale.ROOT, format, figures.median()),
                figures.values().size() > FEW ? "" : figures.all(format)));
  }

  /**
   * Adds a plot.
   *
   * @param what becomes part of its file's name
   */
  void plot(String what, Plot plot) {
    String file = name + "-" + what + ".svg";
    plots.put(file, plot);
    lines.add("");
    lines.add("![%s](%s)".formatted(plot.title(), file));
  }

  void write(Path folder) {
    String text = String.join("\n", lines) + "\n";
    System.out.println(text);
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name + ".md"), text);
      Files.writeString(folder.resolve(name + ".csv"), values.toString());
      for (Map.Entry<String, Plot> plot : plots.entrySet()) {
        Files.writeString(folder.resolve(plot.getKey()), plot.getValue().svg());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The report cannot be written to " + folder, e);
    }
  }
}
