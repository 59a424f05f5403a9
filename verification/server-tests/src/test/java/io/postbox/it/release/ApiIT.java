package io.postbox.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Archives;
import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChangeType;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the API with that of the last release, which {@code src/test/api/baseline.jar} has. A
 * change that breaks users' code or classes needs a line in the changelog, below the version that
 * is not released: one that begins with {@code - Breaking:} and has the name in backticks.
 *
 * <p>{@code .ci/api-baseline} makes the present API the baseline; see docs/releasing.md.
 */
class ApiIT {
  private static final File BASELINE = new File("src/test/api/baseline.jar");
  private static final Path CHANGELOG = Path.of("../../CHANGELOG.md");

  /** The packages in the baseline, without those below them. */
  private static final List<String> PACKAGES =
      List.of(
          "io.postbox.common",
          "io.postbox.outbox",
          "io.postbox.inbox",
          "io.postbox.inbox.http",
          "io.postbox.postgresql");

  /** The folders of the modules, by artifact. */
  private static final Map<String, String> MODULES =
      Map.of(
          "postbox-common", "postbox-common",
          "outbox-ejb", "outbox-ejb",
          "inbox-interceptor", "inbox-interceptor",
          "inbox-http", "inbox-http",
          "postbox-postgresql-xa", "adapters/postgresql-xa");

  /** Applications implement these; all others are Postbox's to implement, and may grow. */
  private static final Set<String> IMPLEMENTED_BY_APPLICATIONS =
      Set.of(
          "io.postbox.common.PayloadCipher",
          "io.postbox.outbox.PayloadLoader",
          "io.postbox.inbox.MessageIdResolver",
          "io.postbox.inbox.InboxContext$OutsideCall",
          "io.postbox.inbox.InboxGuard$Handler",
          "io.postbox.inbox.InboxGuard$RequestHandler");

  @Test
  void aBreakIsInTheChangelog() throws IOException {
    List<JApiClass> classes = compared();
    assertThat(classes).hasSizeGreaterThan(100);

    Set<String> broken = new TreeSet<>();
    classes.forEach(type -> broken.addAll(breaks(type)));
    broken.removeAll(announced());

    assertThat(broken)
        .as("in the API, and without a line '- Breaking: `name` ...' in CHANGELOG.md")
        .isEmpty();
  }

  @Test
  @Tag("full") // which makes the archives
  void theArchivesOfTheDocumentationHaveTheApi() throws IOException {
    Set<String> documented = new TreeSet<>();
    for (String folder : MODULES.values()) {
      try (ZipFile archive = new ZipFile(documentation(folder).toFile())) {
        archive.stream()
            .map(ZipEntry::getName)
            .filter(name -> name.endsWith("/package-summary.html"))
            .map(name -> Path.of(name).getParent().toString().replace('/', '.'))
            .forEach(documented::add);
      }
    }

    assertThat(documented).containsExactlyInAnyOrderElementsOf(PACKAGES);
  }

  private static Path documentation(String folder) throws IOException {
    try (Stream<Path> archives =
        Files.find(
            Path.of("../..", folder, "target"),
            1,
            (file, is) -> file.toString().endsWith("-javadoc.jar"))) {
      return archives.findAny().orElseThrow();
    }
  }

  private static List<JApiClass> compared() {
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    PACKAGES.forEach(
        name -> options.getFilters().getIncludes().add(new JavadocLikePackageFilter(name, true)));
    return new JarArchiveComparator(options)
        .compare(
            List.of(new JApiCmpArchive(BASELINE, "baseline")),
            MODULES.keySet().stream()
                .map(name -> new JApiCmpArchive(Archives.artifact(name), "present"))
                .toList());
  }

  /** The names of what is broken: classes, and members with their classes. */
  private static Set<String> breaks(JApiClass type) {
    String name = type.getFullyQualifiedName();
    String simple = name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    Set<String> breaks = new TreeSet<>();
    List<JApiCompatibility> whole = new ArrayList<>(List.of(type, type.getSuperclass()));
    whole.addAll(type.getInterfaces());
    if (whole.stream().anyMatch(it -> isBreak(it, name))) {
      breaks.add(simple);
    }
    type.getMethods().stream()
        .filter(it -> isBreak(it, name))
        .forEach(it -> breaks.add(simple + "." + it.getName()));
    type.getFields().stream()
        .filter(it -> isBreak(it, name))
        .forEach(it -> breaks.add(simple + "." + it.getName()));
    if (type.getConstructors().stream().anyMatch(it -> isBreak(it, name))) {
      breaks.add(simple + "()");
    }
    return breaks;
  }

  private static boolean isBreak(JApiCompatibility element, String type) {
    return element.getCompatibilityChanges().stream()
        .filter(
            change ->
                change.getType() != JApiCompatibilityChangeType.METHOD_ADDED_TO_INTERFACE
                    || IMPLEMENTED_BY_APPLICATIONS.contains(type))
        .anyMatch(change -> !change.isBinaryCompatible() || !change.isSourceCompatible());
  }

  /** The names in backticks in the lines on breaks, below the first heading of a version. */
  private static Collection<String> announced() throws IOException {
    String present = Files.readString(CHANGELOG).split("(?m)^## ", 3)[1];
    return Stream.of(present.split("(?m)^- "))
        .filter(entry -> entry.startsWith("Breaking:"))
        .flatMap(
            entry ->
                Pattern.compile("`([^`]+)`").matcher(entry).results().map(name -> name.group(1)))
        .toList();
  }
}
