package io.postbox.crash.report;

import static io.postbox.crash.report.Timeline.escaped;

import io.postbox.testkit.model.Event;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A campaign as a page for a person: its faults, their times, and their outcome.
 *
 * @param title which campaign
 * @param again the command that plays it again
 * @param summary in one sentence each
 * @param charts more pictures; a part of the page, or empty
 */
record ReportPage(
    String title,
    String again,
    List<String> summary,
    String charts,
    List<RoundResult> rounds,
    List<Event> history,
    List<String> wrong) {

  String html() {
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <title>%1$s</title>
    <style>
    :root { color-scheme: light dark }
    body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
    table { border-collapse: collapse }
    th, td { text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid #8884 }
    td.number { text-align: right; font-variant-numeric: tabular-nums }
    pre { overflow-x: auto }
    svg { width: 100%% }
    svg text { font-size: 11px; fill: currentColor }
    .axis { stroke: currentColor; stroke-width: .5 }
    .answered { fill: #2a8a4a } .otherwise { fill: #c07a10 }
    .fault { stroke: #c02030; stroke-width: 1.5 } .start { stroke: #3070c0; stroke-dasharray: 3 2 }
    .rest { stroke: #2a8a4a; stroke-dasharray: 1 2 }
    .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem }
    figure { margin: 0 } figcaption { font-size: 12px }
    polyline { fill: none; stroke: currentColor } .flat { stroke: #2a8a4a } .grows { stroke: #c02030 }
    </style>
    </head>
    <body>
    <h1>%1$s</h1>
    <p>Again: <code>%2$s</code></p>
    <ul>
    %3$s
    </ul>
    <h2>Time line</h2>
    <p>Upwards, in each second: requests that were answered 201; downwards, all others. Red: what was
    done; blue: starts, and ready again; green: all at rest.</p>
    %4$s
    <h2>Violations</h2>
    %5$s
    %7$s
    <h2>Rounds</h2>
    <table>
    <tr><th>round</th><th>fault</th><th>what was done</th><th>in doubt</th><th>ready after</th><th>at rest after</th></tr>
    %6$s
    </table>
    </body>
    </html>
    """
        .formatted(
            escaped(title),
            escaped(again),
            lines(summary, "<li>%s</li>"),
            Timeline.svg(history),
            wrong.isEmpty() ? "<p>Nothing.</p>" : "<pre>" + lines(wrong, "%s") + "</pre>",
            rounds.stream().map(ReportPage::row).collect(Collectors.joining("\n")),
            charts);
  }

  private static String row(RoundResult round) {
    return """
    <tr><td class="number">%s</td><td>%s</td><td>%s</td><td class="number">%s</td>\
    <td class="number">%s</td><td class="number">%s</td></tr>\
    """
        .formatted(
            round.number(),
            escaped(round.fault()),
            escaped(round.how()),
            round.inDoubt(),
            EventLines.seconds(round.untilReady()),
            EventLines.seconds(round.untilRest()));
  }

  private static String lines(List<String> texts, String form) {
    return texts.stream()
        .map(text -> form.formatted(escaped(text)))
        .collect(Collectors.joining("\n"));
  }
}
