package io.postbox.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.benchmark.Plot.Line;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {
  private static final Plot PLOT =
      new Plot(
          "Relay & floor",
          "threads",
          "messages/s",
          List.of("1", "2", "4"),
          List.of(
              new Line("relay", List.of(500.0, 1000.0, 2000.0)),
              new Line("a < b", List.of(0.0, 0.0, 1.0))));

  private static Document parsed(Plot plot) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(plot.svg())));
  }

  private static Element first(Document svg, String name) {
    return (Element) svg.getElementsByTagName(name).item(0);
  }

  @Test
  void theHighestValueIsAtTheTopAndZeroAtTheFloor() throws Exception {
    Document svg = parsed(PLOT);
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    assertThat(first(svg, "polyline").getAttribute("points"))
        .isEqualTo("183,280.0 390,200.0 596,40.0");
    assertThat(svg.getElementsByTagName("polyline").item(1).getAttributes().getNamedItem("points"))
        .extracting(it -> it.getNodeValue())
        .isEqualTo("183,360.0 390,360.0 596,359.8");
  }

  @Test
  void namesAreWrittenAsTheyAre() throws Exception {
    NodeList texts = parsed(PLOT).getElementsByTagName("text");
    assertThat(texts.item(0).getTextContent()).isEqualTo("Relay & floor");
    assertThat(texts.item(texts.getLength() - 1).getTextContent()).isEqualTo("a < b");
  }

  @Test
  void theAxisEndsAtARoundNumber() throws Exception {
    Plot plot = new Plot("", "", "", List.of("only"), List.of(new Line("", List.of(7185.0))));
    NodeList texts = parsed(plot).getElementsByTagName("text");
    assertThat(texts.item(3 + 5).getTextContent()).isEqualTo("10,000");
    assertThat(plot.svg()).contains(">2,000<", ">4,000<", ">0<");
  }

  @Test
  void aLineNeedsAValueForEachPlace() {
    List<Line> lines = List.of(new Line("relay", List.of(1.0)));
    assertThatThrownBy(() -> new Plot("", "", "", List.of("1", "2"), lines))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
