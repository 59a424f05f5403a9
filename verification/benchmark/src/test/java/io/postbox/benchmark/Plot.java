package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Lines over one common axis, as SVG. The places on that axis are equally far apart, whatever they
 * are called; the other axis begins at zero.
 *
 * @param title above it
 * @param across the name of the horizontal axis
 * @param up the name of the vertical axis
 * @param places on the horizontal axis, from the left; at least one
 * @param lines at least one
 */
record Plot(String title, String across, String up, List<String> places, List<Line> lines) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 80;
  private static final int RIGHT = 20;
  private static final int TOP = 40;
  private static final int LEGEND = 20;
  private static final int BELOW = 60;
  private static final int STEPS = 5;
  private static final List<String> COLOURS =
      List.of("#1b6ca8", "#d1495b", "#3a7d44", "#8d6a9f", "#e09f3e", "#5c5c5c");

  /**
   * One line.
   *
   * @param name in the legend
   * @param values one for each place
   */
  record Line(String name, List<Double> values) {
    Line {
      values = List.copyOf(values);
    }
  }

  Plot {
    places = List.copyOf(places);
    lines = List.copyOf(lines);
    for (Line line : lines) {
      if (line.values().size() != places.size()) {
        throw new IllegalArgumentException(line + " does not fit " + places);
      }
    }
  }

  String svg() {
    List<String> parts = new ArrayList<>();
    parts.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" font-family=\"sans-serif\" font-size=\"13\">"
            .formatted(WIDTH, height()));
    parts.add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    parts.add(text(WIDTH / 2, TOP / 2, "middle", title));
    parts.add(text((LEFT + WIDTH - RIGHT) / 2, floor() + 40, "middle", across));
    parts.add(text(LEFT, TOP - 6, "start", up));
    parts.addAll(drawn(0, STEPS + 1, this::step));
    parts.addAll(drawn(0, places.size(), i -> text(x(i), floor() + 18, "middle", places.get(i))));
    parts.addAll(drawn(0, lines.size(), this::line));
    parts.add("</svg>");
    return String.join("\n", parts) + "\n";
  }

  private static List<String> drawn(int from, int to, Function<Integer, String> part) {
    return IntStream.range(from, to).boxed().map(part).toList();
  }

  private int height() {
    return HEIGHT + LEGEND * lines.size();
  }

  private static int floor() {
    return HEIGHT - BELOW;
  }

  private int x(int place) {
    int width = WIDTH - LEFT - RIGHT;
    return LEFT + width * (2 * place + 1) / (2 * places.size());
  }

  private double y(double value) {
    return floor() - (floor() - TOP) * value / top();
  }

  /** The smallest of 1, 2 or 5 times a power of ten that no value exceeds. */
  private double top() {
    double largest =
        lines.stream()
            .flatMapToDouble(line -> line.values().stream().mapToDouble(it -> it))
            .max()
            .orElseThrow();
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(largest, 1e-9))));
    return DoubleStream.of(1, 2, 5, 10)
        .map(it -> it * power)
        .filter(it -> it >= largest)
        .findFirst()
        .orElseThrow();
  }

  private String step(int number) {
    double value = top() * number / STEPS;
    return "<line x1=\"%s\" x2=\"%s\" y1=\"%3$s\" y2=\"%3$s\" stroke=\"#dddddd\"/>%n%4$s"
        .formatted(
            LEFT, WIDTH - RIGHT, at(y(value)), text(LEFT - 8, y(value) + 4, "end", number(value)));
  }

  private String line(int index) {
    Line line = lines.get(index);
    String colour = COLOURS.get(index % COLOURS.size());
    String points =
        IntStream.range(0, places.size())
            .mapToObj(i -> x(i) + "," + at(y(line.values().get(i))))
            .collect(Collectors.joining(" "));
    int legend = HEIGHT + LEGEND * index;
    return """
    <polyline points="%1$s" fill="none" stroke="%2$s" stroke-width="2"/>
    <rect x="%3$s" y="%4$s" width="14" height="4" fill="%2$s"/>
    %5$s\
    """
        .formatted(points, colour, LEFT, legend - 6, text(LEFT + 22, legend, "start", line.name()));
  }

  private static String text(double x, double y, String anchor, String text) {
    return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>"
        .formatted(at(x), at(y), anchor, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String at(double place) {
    return String.format(Locale.ROOT, "%.1f", place);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
