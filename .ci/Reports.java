import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.joining;

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
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the reports of all tests that have run since the build began. Runs from its source: {@code
 * java .ci/Reports.java [count|failures] <root> <when the build began, in UTC>}.
 *
 * <p>Prints the elapsed time and the ten slowest classes; with {@code count} three numbers instead:
 * how many tests passed, failed and were skipped; with {@code failures} the first ten failed tests,
 * each with the chain of its exceptions, of which Maven's own summary has the first only.
 */
public final class Reports {
  private static final int SLOWEST = 10;
  private static final int MOST_FAILURES = 10;

  /** In characters. */
  private static final int LONGEST_LINE = 300;

  private record Suite(String name, int tests, int failed, int skipped, double seconds) {}

  public static void main(String[] arguments) throws IOException, XMLStreamException {
    boolean count = arguments[0].equals("count");
    boolean failures = arguments[0].equals("failures");
    Path root = Path.of(arguments[arguments.length - 2]);
    Instant start = Instant.parse(arguments[arguments.length - 1]);
    if (failures) {
      printFailures(reports(root, start));
      return;
    }
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
      System.out.printf("%s %s %s%n", tests - failed - skipped, failed, skipped);
      return;
    }
    Duration elapsed = Duration.between(start, Instant.now());
    System.out.printf(
        "%s tests in %s classes; %s min %02d s since the build began. The slowest classes:%n",
        tests, suites.size(), elapsed.toMinutes(), elapsed.toSecondsPart());
    suites.stream()
        .sorted(comparingDouble(Suite::seconds).reversed())
        .limit(SLOWEST)
        .forEach(it -> System.out.printf("%7.1f s  %s (%s)%n", it.seconds, it.name, it.tests));
  }

  private static void printFailures(List<Path> reports) throws IOException, XMLStreamException {
    List<String> failures = new ArrayList<>();
    for (Path report : reports) {
      failures.addAll(failures(report));
    }
    failures.stream().limit(MOST_FAILURES).forEach(System.out::println);
    if (failures.size() > MOST_FAILURES) {
      System.out.printf("and %s more%n", failures.size() - MOST_FAILURES);
    }
  }

  private static List<String> failures(Path report) throws IOException, XMLStreamException {
    List<String> failures = new ArrayList<>();
    try (InputStream content = Files.newInputStream(report)) {
      XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(content);
      String test = "";
      while (xml.hasNext()) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        switch (xml.getLocalName()) {
          case "testcase" ->
              test =
                  xml.getAttributeValue(null, "classname")
                      + "."
                      + xml.getAttributeValue(null, "name");
          case "failure", "error" -> failures.add("failed: " + test + chain(xml.getElementText()));
          default -> {}
        }
      }
    }
    return failures;
  }

  /** The first line of a stack trace, and those with which each cause begins. */
  private static String chain(String trace) {
    List<String> lines = trace.strip().lines().toList();
    return Stream.concat(
            lines.stream().limit(1),
            lines.stream().skip(1).filter(it -> it.startsWith("Caused by")))
        .map(it -> it.length() > LONGEST_LINE ? it.substring(0, LONGEST_LINE) + "…" : it)
        .collect(joining("\n    ", "\n    ", ""));
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
          public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
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
