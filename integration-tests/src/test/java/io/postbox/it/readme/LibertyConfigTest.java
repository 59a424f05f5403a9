package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;

/** Liberty leaves out without a word what a resource adapter does not declare. */
class LibertyConfigTest {
  private static final Path ADAPTER =
      Path.of("../postbox-artemis-rar/src/main/rar/META-INF/ra.xml");

  @ParameterizedTest
  @ValueSource(strings = {"artemis.xml", "artemis-secure.xml"})
  void theAdapterDeclaresThePropertiesThatAreSet(String file) throws Exception {
    Set<String> declared = new TreeSet<>();
    for (Element name : elements(ADAPTER, "config-property-name")) {
      String text = name.getTextContent().strip();
      declared.add(Character.toLowerCase(text.charAt(0)) + text.substring(1));
    }
    Set<String> set = new TreeSet<>();
    for (Element properties : elements(Path.of("../liberty-config", file), "properties.artemis")) {
      NamedNodeMap attributes = properties.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        set.add(attributes.item(i).getNodeName());
      }
    }

    assertThat(set).isNotEmpty();
    assertThat(declared).containsAll(set);
  }

  private static Iterable<Element> elements(Path file, String name) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    Document document = factory.newDocumentBuilder().parse(file.toFile());
    NodeList found = document.getElementsByTagName(name);
    return () ->
        IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).iterator();
  }
}
