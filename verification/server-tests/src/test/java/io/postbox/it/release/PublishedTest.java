package io.postbox.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maven Central's demands on a release, and texts that go stale when the version changes. */
class PublishedTest {
  private static final Pattern OF_POSTBOX =
      Pattern.compile(
          "<groupId>io\\.postbox</groupId>\\s*<artifactId>[^<]*</artifactId>\\s*<version>([^<]*)<");

  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*<groupId>io\\.postbox</groupId>\\s*<artifactId>([^<]*)</artifactId>");

  private final Pom root = Pom.read(Pom.ROOT.resolve("pom.xml"));
  private final Pom bom = Pom.read(Pom.ROOT.resolve("applications/bom/pom.xml"));

  @Test
  void theBomHasWhatIsPublished() {
    Set<String> published = new TreeSet<>(Pom.published().stream().map(Pom::artifact).toList());
    assertThat(published).contains("postbox-parent", "postbox-bom", "outbox-ejb");
    published.removeAll(Set.of("postbox-parent", "postbox-bom"));

    Set<String> inBom =
        new TreeSet<>(
            bom.elements("dependency")
                .flatMap(dependency -> Pom.children(dependency, "artifactId"))
                .map(artifact -> artifact.getTextContent().strip())
                .toList());
    assertThat(inBom).isEqualTo(published);
  }

  @Test
  void theScriptsBuildWhatIsPublished() throws IOException {
    Set<String> folders =
        new TreeSet<>(
            Pom.published().stream()
                .map(pom -> Pom.ROOT.relativize(pom.file()).getParent())
                .filter(Objects::nonNull)
                .map(Path::toString)
                .toList());

    assertThat(Files.readString(Pom.ROOT.resolve(".ci/published")).strip().split(","))
        .containsExactlyInAnyOrderElementsOf(folders);
  }

  @Test
  void theDocumentsHaveASnippetForWhatIsPublished() throws IOException {
    Set<String> shown = new TreeSet<>();
    try (Stream<Path> files = Files.list(Pom.ROOT.resolve("docs"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".md")).toList()) {
        DEPENDENCY.matcher(Files.readString(file)).results().forEach(it -> shown.add(it.group(1)));
      }
    }

    assertThat(shown)
        .containsAll(
            Pom.published().stream()
                .map(Pom::artifact)
                .filter(it -> !it.equals("postbox-parent") && !it.equals("postbox-common"))
                .toList());
    assertThat(Files.readString(Pom.ROOT.resolve("docs/tutorial.md")))
        .as("what the documented command installs")
        .contains("./mvnw install -DskipTests -pl \".,$(cat .ci/published)\"");
  }

  @Test
  void theExampleHasTheWrapperOfThisBuild() throws IOException {
    for (String file : List.of("mvnw", "mvnw.cmd", ".mvn/wrapper/maven-wrapper.properties")) {
      assertThat(Pom.ROOT.resolve("applications/examples/minimal-war").resolve(file))
          .hasSameBinaryContentAs(Pom.ROOT.resolve(file));
    }
  }

  @Test
  void everyModuleHasOneVersion() {
    assertThat(Pom.all()).allMatch(pom -> pom.version().equals(root.version()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "docs/configuration.md",
        "docs/console.md",
        "docs/handling.md",
        "docs/testing.md",
        "docs/tutorial.md",
        "applications/examples/minimal-war/pom.xml"
      })
  void whereUsersCopyFromIsTheVersion(String file) throws IOException {
    List<String> versions =
        OF_POSTBOX
            .matcher(Files.readString(Pom.ROOT.resolve(file)))
            .results()
            .map(match -> match.group(1))
            .toList();

    assertThat(versions).isNotEmpty().containsOnly(root.version());
  }

  @Test
  void everyPomSaysWhatItIs() {
    for (Pom pom : Pom.published()) {
      assertThat(pom.text("name")).as(pom.artifact()).isPresent();
      assertThat(pom.text("description")).as(pom.artifact()).isPresent();
    }
    for (Pom pom : List.of(root, bom)) {
      for (String[] path :
          new String[][] {
            {"url"},
            {"licenses", "license", "name"},
            {"licenses", "license", "url"},
            {"developers", "developer", "name"},
            {"scm", "connection"},
            {"scm", "developerConnection"},
            {"scm", "url"}
          }) {
        assertThat(pom.text(path)).as("%s of %s", List.of(path), pom.file()).isPresent();
      }
    }
  }

  @Test
  void sourcesAndDocumentationComeWithAllThatIsNoPom() {
    for (Pom pom : Pom.published()) {
      if (!pom.packaging().equals("pom")) {
        assertThat(pom.elements("plugin"))
            .as(pom.artifact())
            .flatExtracting(plugin -> Pom.children(plugin, "artifactId").toList())
            .extracting(artifact -> artifact.getTextContent().strip())
            .contains("maven-source-plugin", "maven-javadoc-plugin");
      }
    }
  }

  @Test
  void theMinimalExampleIsShort() throws IOException {
    try (Stream<Path> files = Files.walk(Pom.ROOT.resolve("applications/examples/minimal-war"))) {
      long lines = 0;
      for (Path file :
          files.filter(it -> it.toString().matches("[^:]*(pom\\.xml|/src/.*)")).toList()) {
        lines += Files.isDirectory(file) ? 0 : Files.readAllLines(file).size();
      }
      assertThat(lines).isBetween(100L, 149L);
    }
  }
}
