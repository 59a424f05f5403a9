package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xml.sax.InputSource;

/**
 * The README and the documents beside it: snippets, links, and the limits that keep them readable.
 */
class DocumentsTest {
  private static final Path ROOT = Path.of("../..");
  private static final Path README = ROOT.resolve("README.md");
  private static final Path CONFIGURATION = ROOT.resolve("docs/configuration.md");

  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\|(.*)\\|$");
  private static final Pattern KEY =
      Pattern.compile("(?m)^\\| `(postbox\\.[^`]+)` \\| ([^|]*) \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern CREATED = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+)");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests?|IT))`");
  private static final Pattern TEST_FILE =
      Pattern.compile("/src/test/java/.*(?:Tests?|IT)\\.java$");
  private static final Pattern MODULES_OF_COMMAND = Pattern.compile("-pl ([\\w.,/-]+)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("(?m)^public (?:class|record|interface|enum) (\\w+)");

  private static final List<String> MODULES =
      List.of(
          "postbox-common",
          "outbox-ejb",
          "inbox-interceptor",
          "inbox-http",
          "console",
          "applications/test-kit",
          "adapters/postgresql-xa",
          "adapters/artemis-rar");

  /** Two lines of a table as it is read, without the addresses of links. */
  private static final int LONGEST_CELL = 200;

  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
      }
    }
    return documents;
  }

  static List<Path> documentsWithJava() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path document : documents()) {
      if (!document.endsWith("CONTRIBUTING.md") && !fenced(document, "java").isEmpty()) {
        documents.add(document);
      }
    }
    return documents;
  }

  /** Section by section, for a class may be shown again in a later one, changed. */
  @ParameterizedTest
  @MethodSource("documentsWithJava")
  void itsJavaCompiles(Path document, @TempDir Path out) throws IOException {
    Map<URI, JavaFileObject> shown = new LinkedHashMap<>();
    for (String section : Files.readString(document).split("(?m)^## ", -1)) {
      List<String> snippets = fenced(section, "java");
      snippets.stream().map(DocumentsTest::source).forEach(it -> shown.put(it.toUri(), it));
      if (!snippets.isEmpty()) {
        compile(shown.values(), out);
      }
    }
  }

  private static void compile(Collection<JavaFileObject> sources, Path out) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            out.toString(),
            "-classpath",
            System.getProperty("java.class.path"));

    assertThat(compiler.getTask(said, null, null, options, null, sources).call())
        .as(said.toString())
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void itsXmlIsWellFormed(Path document) throws Exception {
    for (String snippet : fenced(document, "xml")) {
      String xml = snippet.startsWith("<?xml") ? snippet : "<all>" + snippet + "</all>";
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(xml)));
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void itsLinksLeadSomewhere(Path document) throws IOException {
    List<String> broken = new ArrayList<>();
    for (MatchResult link : LINK.matcher(prose(document)).results().toList()) {
      String target = link.group(2);
      if (target.startsWith("http")) {
        continue;
      }
      int hash = target.indexOf('#');
      String path = hash < 0 ? target : target.substring(0, hash);
      Path file = path.isEmpty() ? document : document.resolveSibling(path);
      if (!Files.exists(file)
          || (hash >= 0 && !anchors(file).contains(target.substring(hash + 1)))) {
        broken.add(target);
      }
    }
    assertThat(broken).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void noCellOfItsTablesIsLongerThanTwoLines(Path document) throws IOException {
    List<String> cells =
        ROW.matcher(prose(document))
            .results()
            .flatMap(row -> Stream.of(row.group(1).split("(?<!\\\\)\\|")))
            .map(cell -> LINK.matcher(cell.strip()).replaceAll("$1").replace("`", ""))
            .toList();

    assertThat(cells).allMatch(cell -> cell.length() <= LONGEST_CELL);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void theTestsThatItNamesExist(Path document) throws IOException {
    Set<String> named =
        TEST.matcher(Files.readString(document))
            .results()
            .map(test -> test.group(1))
            .collect(Collectors.toSet());

    assertThat(tests()).containsAll(named);
  }

  private static Set<String> tests() throws IOException {
    Set<String> names = new HashSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          /** Other modules are being built, and delete what is in these folders. */
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes is) {
            return folder.endsWith("target") || folder.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
            if (TEST_FILE.matcher(file.toString()).find()) {
              names.add(file.getFileName().toString().replace(".java", ""));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
  }

  /** Maven takes a folder after -pl. */
  @ParameterizedTest
  @MethodSource("documents")
  void theModulesOfItsCommandsAreThere(Path document) throws IOException {
    assertThat(MODULES_OF_COMMAND.matcher(Files.readString(document)).results())
        .flatMap(command -> List.of(command.group(1).split(",")))
        .allSatisfy(module -> assertThat(ROOT.resolve(module).resolve("pom.xml")).exists());
  }

  @Test
  void theReadmeIsShort() throws IOException {
    List<String> lines = Files.readAllLines(README);

    assertThat(lines).hasSizeLessThanOrEqualTo(150);
    assertThat(lines.indexOf("```java")).isBetween(0, 58);
    assertThat(fenced(README, "java")).hasSize(2);
  }

  @Test
  void theReadmesCommandsRunTheSampleAndTheTests() throws IOException {
    assertThat(fenced(README, "sh").stream().flatMap(String::lines))
        .containsExactly("./mvnw -Prun -pl sample-ear -am", "./mvnw verify");
  }

  @Test
  void theReadmesTenKeysHaveTheirDefaults() throws IOException {
    Map<String, String> all = keys(CONFIGURATION);
    Map<String, String> shown = keys(README);

    assertThat(shown).hasSize(10);
    assertThat(all).containsAllEntriesOf(shown);
  }

  @Test
  void everyTableIsAmongWhatIsEncryptedAndWhatIsClear() throws IOException {
    String section =
        Files.readString(ROOT.resolve("docs/security.md"))
            .split("### Encrypted and clear data")[1]
            .split("(?m)^## ")[0];
    Set<String> rows =
        ROW.matcher(section)
            .results()
            .flatMap(row -> NAME.matcher(row.group(1).split("\\|")[0]).results())
            .map(name -> name.group(1))
            .collect(Collectors.toSet());

    assertThat(rows).containsAll(tables());
  }

  /** That both modules create. */
  private static Set<String> tables() throws IOException {
    Set<String> tables = new HashSet<>();
    for (String script :
        List.of(
            "outbox-ejb/src/main/resources/META-INF/postbox/h2/outbox.sql",
            "inbox-interceptor/src/main/resources/META-INF/postbox/h2/inbox.sql")) {
      CREATED
          .matcher(Files.readString(ROOT.resolve(script)))
          .results()
          .forEach(table -> tables.add(table.group(1)));
    }
    assertThat(tables).hasSizeGreaterThan(25);
    return tables;
  }

  /** Whoever reads a line of the log has no clone. */
  @Test
  void textsOfTheCodeNameDocumentsByAddress() throws IOException {
    Pattern text = Pattern.compile("\"[^\"\\n]*docs/[a-z-]+\\.md");
    List<String> found = new ArrayList<>();
    for (Path source : mainSources()) {
      text.matcher(Files.readString(source))
          .results()
          .map(MatchResult::group)
          .filter(it -> !it.matches(".*https://github\\.com/postbox/postbox/blob/main/docs/[^/]*"))
          .forEach(it -> found.add(ROOT.relativize(source) + ": " + it));
    }

    assertThat(found).isEmpty();
  }

  /** Where the words of one server would lead users of another one astray. */
  @Test
  void onlyThePlatformHasWordsOfAServer() throws IOException {
    Pattern text =
        Pattern.compile(
            "\"[^\"\\n]*(?i:server\\.xml|liberty|websphere|com\\.ibm|wildfly|jboss|payara|glassfish)[^\"\\n]*\"");
    Set<String> found = new TreeSet<>();
    for (Path source : mainSources()) {
      boolean isPlatforms = source.getParent().endsWith("common/platform");
      text.matcher(Files.readString(source))
          .results()
          .filter(it -> !isPlatforms)
          .forEach(it -> found.add(source.getFileName() + " " + it.group()));
    }

    assertThat(found)
        .as("but for its broker, whose name is the beginning of classes")
        .containsExactly("ReplyTo.java \"com.ibm.ws.sib.\"");
  }

  private static List<Path> mainSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(500);
    return sources;
  }

  private static Map<String, String> keys(Path document) throws IOException {
    return KEY.matcher(Files.readString(document))
        .results()
        .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
  }

  private static List<String> fenced(Path document, String language) throws IOException {
    return fenced(Files.readString(document), language);
  }

  private static List<String> fenced(String text, String language) {
    return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```")
        .matcher(text)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static String prose(Path document) throws IOException {
    return FENCE.matcher(Files.readString(document)).replaceAll("");
  }

  /** The names that GitHub gives to the headings of a document. */
  static Set<String> anchors(Path document) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    try {
      HEADING
          .matcher(prose(document))
          .results()
          .map(heading -> LINK.matcher(heading.group(1)).replaceAll("$1"))
          .map(text -> text.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", ""))
          .map(text -> text.replace(' ', '-'))
          .forEach(
              slug -> {
                int before = seen.merge(slug, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? slug : slug + "-" + before);
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return anchors;
  }

  private static JavaFileObject source(String snippet) {
    Matcher type = PUBLIC_TYPE.matcher(snippet);
    assertThat(type.find()).as("a public type in %s", snippet).isTrue();
    Matcher room = PACKAGE.matcher(snippet);
    String folder = room.find() ? room.group(1).replace('.', '/') + "/" : "";
    URI uri = URI.create("string:///" + folder + type.group(1) + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return snippet;
      }
    };
  }
}
