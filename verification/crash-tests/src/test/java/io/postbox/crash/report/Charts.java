package io.postbox.crash.report;

import static io.postbox.crash.report.Timeline.escaped;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Draws what became of each gauge of a soak as SVG, and lists all of them. */
final class Charts {
  private static final int WIDTH = 300;
  private static final int HEIGHT = 80;

  private Charts() {}

  /** A part of a page; empty if there is nothing to show. */
  static String html(String title, List<Growth> growths) {
    if (growths.isEmpty()) {
      return "";
    }
    return """
    <h2>%s</h2>
    <p>The line is the trend of what was judged, the first third being for warming up.</p>
    <div class="charts">
    %s
    </div>
    <table>
    <tr><th>what</th><th>from</th><th>to</th><th>rise</th><th>allowed</th></tr>
    %s
    </table>
    """
        .formatted(
            escaped(title),
            growths.stream().filter(Charts::moves).map(Charts::chart).collect(joining()),
            growths.stream().map(Charts::row).collect(joining()));
  }

  /** Constant series are only listed. */
  private static boolean moves(Growth growth) {
    return growth.readings().stream().distinct().count() > 1;
  }

  private static String chart(Growth growth) {
    List<Double> readings = growth.readings();
    double most = readings.stream().mapToDouble(reading -> reading).max().orElse(0);
    double scale = most <= 0 ? 0 : (HEIGHT - 4) / most;
    double step = (double) WIDTH / Math.max(1, readings.size() - 1);
    List<String> points = new ArrayList<>();
    for (int i = 0; i < readings.size(); i++) {
      points.add(number(i * step) + "," + number(HEIGHT - readings.get(i) * scale));
    }
    double begin = Growth.warmUp(readings.size()) * step;
    return """
    <figure><figcaption>%s: %s to %s</figcaption>
    <svg viewBox="0 0 %s %s" role="img" aria-label="%s">
    <polyline points="%s"/>
    <line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>
    </svg></figure>\
    """
        .formatted(
            escaped(growth.gauge().text()),
            number(readings.stream().mapToDouble(reading -> reading).min().orElse(0)),
            number(most),
            WIDTH,
            HEIGHT,
            escaped(growth.gauge().text()),
            String.join(" ", points),
            growth.tooMuch() ? "grows" : "flat",
            number(begin),
            number(HEIGHT - growth.trend().start() * scale),
            WIDTH,
            number(HEIGHT - growth.trend().end() * scale));
  }

  private static String row(Growth growth) {
    return """
    <tr><td>%s</td><td class="number">%s</td><td class="number">%s</td>\
    <td class="number">%s</td><td class="number">%s</td></tr>\
    """
        .formatted(
            escaped(growth.gauge().text()),
            number(growth.trend().start()),
            number(growth.trend().end()),
            number(growth.trend().rise()),
            number(growth.allowed()));
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining("\n");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
