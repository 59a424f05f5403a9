package io.postbox.crash.report;

import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.Marked;
import io.postbox.testkit.model.Event.Unanswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Draws a history as SVG, a line of the picture for each stretch of time: upwards the requests that
 * were answered 201 in each second, downwards the others, and what was done to the servers.
 */
final class Timeline {
  private static final int SECONDS_PER_LINE = 240;
  private static final int WIDTH = 960;
  private static final int LEFT = 48;
  private static final int UP = 60;
  private static final int DOWN = 24;
  private static final int LINE = UP + DOWN + 26;
  private static final double PER_SECOND = (double) (WIDTH - LEFT) / SECONDS_PER_LINE;

  private final List<Event> history;
  private final Map<Long, Long> answered;
  private final Map<Long, Long> otherwise;
  private final long most;

  private Timeline(List<Event> history) {
    this.history = history;
    answered = perSecond(Acknowledged.class::isInstance);
    otherwise = perSecond(Unanswered.class::isInstance);
    most = answered.values().stream().mapToLong(count -> count).max().orElse(1);
  }

  /** The picture, as an element that can stand in a page. */
  static String svg(List<Event> history) {
    return new Timeline(history).draw();
  }

  private String draw() {
    long seconds = history.stream().mapToLong(event -> event.at().toSeconds()).max().orElse(0) + 1;
    int lines = (int) ((seconds + SECONDS_PER_LINE - 1) / SECONDS_PER_LINE);
    List<String> elements = new ArrayList<>();
    for (int line = 0; line < lines; line++) {
      double middle = middle(line);
      elements.add(
          String.format(
              Locale.ROOT,
              "<text x=\"0\" y=\"%.0f\">%s</text>",
              middle,
              clock(Duration.ofSeconds((long) line * SECONDS_PER_LINE))));
      elements.add(
          String.format(
              Locale.ROOT,
              "<line class=\"axis\" x1=\"%s\" y1=\"%.0f\" x2=\"%s\" y2=\"%.0f\"/>",
              LEFT,
              middle,
              WIDTH,
              middle));
    }
    answered.forEach((second, count) -> elements.add(bar(second, "answered", count, -UP)));
    otherwise.forEach((second, count) -> elements.add(bar(second, "otherwise", count, DOWN)));
    history.stream()
        .filter(Marked.class::isInstance)
        .map(Marked.class::cast)
        .forEach(mark -> elements.add(mark(mark)));
    return """
    <svg viewBox="0 0 %s %s" role="img" aria-label="time line">
    %s
    </svg>
    """
        .formatted(WIDTH, lines * LINE, String.join("\n", elements));
  }

  private String bar(long second, String kind, long count, int full) {
    double height = Math.max(2, Math.abs(full) * Math.min(1.0, (double) count / most));
    double middle = middle((int) (second / SECONDS_PER_LINE));
    return String.format(
        Locale.ROOT,
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
            + "<title>second %s: %s %s</title></rect>",
        kind,
        x(second),
        full < 0 ? middle - height : middle,
        PER_SECOND,
        height,
        second,
        count,
        kind);
  }

  private static String mark(Marked mark) {
    long second = mark.at().toSeconds();
    double middle = middle((int) (second / SECONDS_PER_LINE));
    double x = x(mark.at().toMillis() / 1000.0);
    return String.format(
        Locale.ROOT,
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\">"
            + "<title>%s: %s</title></line>",
        kind(mark),
        x,
        middle - UP,
        x,
        middle + DOWN,
        EventLines.seconds(mark.at()),
        escaped((mark.subject() + " " + mark.what()).strip()));
  }

  private static String kind(Marked mark) {
    if (mark.what().startsWith("at rest")) {
      return "rest";
    }
    return mark.what().startsWith("ready") || mark.what().startsWith("started") ? "start" : "fault";
  }

  /** For a page. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static double middle(int line) {
    return (double) line * LINE + UP + 6;
  }

  private static double x(double second) {
    return LEFT + second % SECONDS_PER_LINE * PER_SECOND;
  }

  private static String clock(Duration time) {
    return String.format(Locale.ROOT, "%s:%02d", time.toMinutes(), time.toSecondsPart());
  }

  private Map<Long, Long> perSecond(Predicate<Event> which) {
    Map<Long, Long> counts = new TreeMap<>();
    history.stream()
        .filter(which)
        .forEach(event -> counts.merge(event.at().toSeconds(), 1L, Long::sum));
    return counts;
  }
}
