package io.postbox.it.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A POM of this build, as far as it is asked here. */
record Pom(Path file, Element project) {
  static final Path ROOT = Path.of("../..");

  static Pom read(Path file) {
    try {
      return new Pom(
          file,
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  /** Those of the build, the one at the root first, with those of profiles. */
  static List<Pom> all() {
    Pom root = read(ROOT.resolve("pom.xml"));
    List<Pom> all = new ArrayList<>(List.of(root));
    root.elements("module")
        .map(module -> read(ROOT.resolve(module.getTextContent().strip()).resolve("pom.xml")))
        .forEach(all::add);
    return all;
  }

  /** Those that are published. */
  static List<Pom> published() {
    return all().stream().filter(pom -> !pom.isSkipped()).toList();
  }

  private boolean isSkipped() {
    return elements("maven.deploy.skip")
        .anyMatch(element -> element.getTextContent().strip().equals("true"));
  }

  String artifact() {
    return text("artifactId").orElseThrow();
  }

  String version() {
    return text("version").orElseGet(() -> text("parent", "version").orElseThrow());
  }

  String packaging() {
    return text("packaging").orElse("jar");
  }

  /** The text of an element, by the names on the way to it. */
  Optional<String> text(String... path) {
    Optional<Element> found = Optional.of(project);
    for (String name : path) {
      found = found.flatMap(element -> children(element, name).findFirst());
    }
    return found.map(element -> element.getTextContent().strip());
  }

  /** All elements of a name, wherever they are. */
  Stream<Element> elements(String name) {
    return elements(project.getElementsByTagName(name));
  }

  static Stream<Element> children(Element parent, String name) {
    return elements(parent.getChildNodes()).filter(child -> child.getTagName().equals(name));
  }

  private static Stream<Element> elements(NodeList nodes) {
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
        .map(Element.class::cast);
  }
}
