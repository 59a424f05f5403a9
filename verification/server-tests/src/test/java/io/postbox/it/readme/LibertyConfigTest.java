package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;

/** What Liberty takes without a word, and means otherwise. */
class LibertyConfigTest {
  private static final Path FOLDER = Path.of("../../liberty-config");
  private static final Pattern USED = Pattern.compile("\\$\\{([\\w.-]+)}");

  /** What Liberty knows, and where the data are, which server.xml says. */
  private static final Set<String> GIVEN =
      Set.of("server.config.dir", "wlp.install.dir", "postbox.data");

  private static final Path ADAPTER =
      Path.of("../../adapters/artemis-rar/src/main/rar/META-INF/ra.xml");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".xml")).toList();
    }
  }

  /**
   * Without one, the text of the variable is the value: a password that everybody can read here.
   */
  @ParameterizedTest
  @MethodSource("files")
  void aVariableHasADefaultInTheFileThatUsesIt(Path file) throws Exception {
    Set<String> used = new TreeSet<>();
    for (Element each : elements(file, "*")) {
      for (int i = 0; i < each.getAttributes().getLength(); i++) {
        USED.matcher(each.getAttributes().item(i).getNodeValue())
            .results()
            .forEach(name -> used.add(name.group(1)));
      }
      USED.matcher(each.getTextContent()).results().forEach(name -> used.add(name.group(1)));
    }
    Set<String> known = new TreeSet<>(GIVEN);
    known.addAll(variables(file));

    assertThat(known).containsAll(used);
  }

  private static Set<String> variables(Path file) throws Exception {
    Set<String> names = new TreeSet<>();
    for (Element variable : elements(file, "variable")) {
      names.add(variable.getAttribute("name"));
    }
    for (Element include : elements(file, "include")) {
      Path included = FOLDER.resolve(include.getAttribute("location"));
      if (Files.exists(included)) {
        names.addAll(variables(included));
      }
    }
    return names;
  }

  /** Liberty leaves out what a resource adapter does not declare. */
  @ParameterizedTest
  @ValueSource(strings = {"artemis.xml", "artemis-secure.xml"})
  void theAdapterDeclaresThePropertiesThatAreSet(String file) throws Exception {
    Set<String> declared = new TreeSet<>();
    for (Element name : elements(ADAPTER, "config-property-name")) {
      String text = name.getTextContent().strip();
      declared.add(Character.toLowerCase(text.charAt(0)) + text.substring(1));
    }
    Set<String> set = new TreeSet<>();
    for (Element properties :
        elements(Path.of("../../liberty-config", file), "properties.artemis")) {
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
