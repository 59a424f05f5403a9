import static java.util.Comparator.comparingDouble;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the reports of all tests that have run since the build began. Runs from its source: {@code
 * java .ci/Reports.java [count] <root> <when the build began, in UTC>}.
 *
 * <p>Prints the elapsed time and the ten slowest classes; with {@code count} three numbers instead:
 * how many tests passed, failed and were skipped.
 */
public final class Reports {
  private static final int SLOWEST = 10;

  private record Suite(String name, int tests, int failed, int skipped, double seconds) {}

  public static void main(String[] arguments) throws IOException, XMLStreamException {
    boolean count = arguments[0].equals("count");
    Path root = Path.of(arguments[count ? 1 : 0]);
    Instant start = Instant.parse(arguments[count ? 2 : 1]);
    List<Suite> suites = new ArrayList<>();
    for (Path report : reports(root, start)) {
      Suite suite = read(report);
      if (suite.tests > 0 || suite.failed > 0) { // not those that only name other classes
        suites.add(suite);
      }
    }
    int tests = suites.stream().mapToInt(Suite::tests).sum();
    int failed = suites.stream().mapToInt(Suite::failed).sum();
    int skipped = suites.stream().mapToInt(Suite::skipped).sum();
    if (count) {
      System.out.printf("%d %d %d%n", tests - failed - skipped, failed, skipped);
      return;
    }
    Duration elapsed = Duration.between(start, Instant.now());
    System.out.printf(
        "%d tests in %d classes; %d min %02d s since the build began. The slowest classes:%n",
        tests, suites.size(), elapsed.toMinutes(), elapsed.toSecondsPart());
    suites.stream()
        .sorted(comparingDouble(Suite::seconds).reversed())
        .limit(SLOWEST)
        .forEach(it -> System.out.printf("%7.1f s  %s (%d)%n", it.seconds, it.name, it.tests));
  }

  /** Reports of this run only: a class with an older one was not tested now. */
  private static List<Path> reports(Path root, Instant start) throws IOException {
    List<Path> fresh = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          /** Of built folders, only reports: tests of another module may delete the rest. */
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) {
            Path parent = folder.getParent();
            boolean built = parent != null && parent.endsWith("target");
            return folder.endsWith(".git") || folder.endsWith("src") || built && !hasReports(folder)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes is)
              throws IOException {
            if (hasReports(file.getParent())
                && file.getFileName().toString().matches("TEST-.*\\.xml")
                && !is.lastModifiedTime().toInstant().isBefore(start)
                && isComplete(file)) {
              fresh.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return fresh;
  }

  /** Another module may be writing it at this moment. */
  private static boolean isComplete(Path report) throws IOException {
    return Files.readString(report).stripTrailing().endsWith("</testsuite>");
  }

  private static boolean hasReports(Path folder) {
    return folder.endsWith("surefire-reports") || folder.endsWith("failsafe-reports");
  }

  /** Only the first element: what tests print may look like another. */
  private static Suite read(Path report) throws IOException, XMLStreamException {
    try (InputStream content = Files.newInputStream(report)) {
      XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(content);
      xml.nextTag();
      return new Suite(
          xml.getAttributeValue(null, "name"),
          number(xml, "tests"),
          number(xml, "failures") + number(xml, "errors"),
          number(xml, "skipped"),
          Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", "")));
    }
  }

  private static int number(XMLStreamReader xml, String attribute) {
    return Integer.parseInt(xml.getAttributeValue(null, attribute));
  }

  private Reports() {}
}
