package io.postbox.common.platform;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** What an application's persistence units name as their data sources. */
final class PersistenceUnits {
  private static final String DESCRIPTOR = "META-INF/persistence.xml";
  private static final String DATA_SOURCE = "jta-data-source";

  private PersistenceUnits() {}

  /**
   * The names in all descriptors that a class loader finds. One that cannot be read is left out: no
   * server starts an application with it.
   */
  static Set<String> dataSources(ClassLoader application) {
    return application
        .resources(DESCRIPTOR)
        .flatMap(PersistenceUnits::named)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> named(URL descriptor) {
    Set<String> names = new TreeSet<>();
    try {
      URLConnection fresh = descriptor.openConnection();
      fresh.setUseCaches(false); // so that no archive of a former deployment answers
      try (InputStream content = fresh.getInputStream()) {
        XMLStreamReader xml = reader(content);
        while (xml.hasNext()) {
          if (xml.next() == XMLStreamReader.START_ELEMENT
              && xml.getLocalName().equals(DATA_SOURCE)) {
            names.add(xml.getElementText().strip());
          }
        }
      }
    } catch (IOException | XMLStreamException unreadable) {
      return Stream.empty();
    }
    return names.stream();
  }

  private static XMLStreamReader reader(InputStream content) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory.createXMLStreamReader(content);
  }
}
