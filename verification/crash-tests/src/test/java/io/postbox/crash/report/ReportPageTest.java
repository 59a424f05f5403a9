package io.postbox.crash.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.Marked;
import io.postbox.testkit.model.Event.Unanswered;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The page is read by people when something has gone wrong, so it must not go wrong itself. */
class ReportPageTest {
  private final XPath xpath = XPathFactory.newInstance().newXPath();

  @Test
  void everyFaultAndEverySecondIsInThePicture() throws Exception {
    Document page =
        page(
            List.of(
                answered(1, 100),
                answered(2, 200),
                answered(3, 1_500),
                new Unanswered(Duration.ofMillis(2_100), Duration.ZERO, "BOOK-1", 1, 0, "reset"),
                new Marked(Duration.ofSeconds(2), "h2-1", "killed"),
                new Marked(Duration.ofSeconds(3), "h2-1", "started, logs in start-002"),
                new Marked(Duration.ofSeconds(250), "", "at rest")),
            List.of());

    assertThat(count(page, "//rect[@class='answered']")).isEqualTo(2);
    assertThat(count(page, "//rect[@class='otherwise']")).isEqualTo(1);
    assertThat(text(page, "//line[@class='fault']/title")).isEqualTo("2.00 s: h2-1 killed");
    assertThat(count(page, "//line[@class='start']")).isEqualTo(1);
    assertThat(text(page, "//line[@class='rest']/@y2")).isEqualTo("200.0"); // in the second line
  }

  @Test
  void violationsMayContainAnyCharacters() throws Exception {
    Document page = page(List.of(), List.of("LOST: order 7", "\"<script>\" & more"));

    assertThat(text(page, "//pre")).isEqualTo("LOST: order 7\n\"<script>\" & more");
    assertThat(text(page, "//td[3]")).isEqualTo("killed at <init>");
  }

  @Test
  void nothingWrongIsSaidToo() throws Exception {
    assertThat(text(page(List.of(), List.of()), "//h2[2]/following-sibling::p[1]"))
        .isEqualTo("Nothing.");
  }

  @Test
  void growingGaugesAreDrawnAndSteadyOnesOnlyListed() throws Exception {
    List<Map<Gauge, Double>> readings = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      readings.add(
          Map.of(
              new Gauge(Gauge.Kind.THREADS, "a <reader>"),
              10.0 * i,
              new Gauge(Gauge.Kind.ROWS, "inbox_stored"),
              0.0));
    }
    Document page = page(List.of(), List.of(), Charts.html("under load", Growth.of(readings)));

    assertThat(count(page, "//figure")).isEqualTo(1);
    assertThat(text(page, "//figcaption")).isEqualTo("threads, a <reader>: 0.0 to 110.0");
    assertThat(text(page, "//polyline/@points")).endsWith(" 300.0,4.0");
    assertThat(text(page, "//figure//line/@class")).isEqualTo("grows");
    assertThat(count(page, "//tr[td='rows, inbox_stored']")).isEqualTo(1);
  }

  private static Document page(List<Event> history, List<String> wrong) throws Exception {
    return page(history, wrong, "");
  }

  private static Document page(List<Event> history, List<String> wrong, String charts)
      throws Exception {
    String html =
        new ReportPage(
                "kill -9, h2",
                "./mvnw verify -Pcrash -Dseed=42",
                List.of("1 round"),
                charts,
                List.of(
                    new RoundResult(
                        1, "KILLED", "killed at <init>", 2, Duration.ofSeconds(5), Duration.ZERO)),
                history,
                wrong)
            .html();
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(html.replace("<!doctype html>", ""))));
  }

  private static Acknowledged answered(long orderId, long millis) {
    Duration at = Duration.ofMillis(millis);
    return new Acknowledged(at, at, orderId, new UUID(0, orderId), "BOOK-1", 1);
  }

  private String text(Document page, String path) throws Exception {
    return xpath.evaluate(path, page);
  }

  private int count(Document page, String path) throws Exception {
    return Integer.parseInt(xpath.evaluate("count(" + path + ")", page));
  }
}
