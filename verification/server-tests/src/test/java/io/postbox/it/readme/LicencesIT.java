package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each archive that leaves the house says under which licence. */
class LicencesIT {
  private static final File ADAPTER =
      new File(System.getProperty("postbox.artifacts"), "postbox-artemis-rar.rar");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../postbox-common",
        "../../outbox-ejb",
        "../../inbox-interceptor",
        "../../inbox-http",
        "../../console",
        "../../applications/test-kit",
        "../../sample-ear/sample-ejb",
        "../../verification/testkit",
        "../../adapters/postgresql-xa",
        "../../adapters/artemis-rar"
      })
  void everyArchiveHasLicenceAndNotice(String module) throws IOException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(Path.of(module, "target"))) {
      jars = files.filter(file -> file.toString().matches(".*\\.([jw]ar|rar)")).toList();
    }
    assertThat(jars).isNotEmpty();
    for (Path jar : jars) {
      try (JarFile open = new JarFile(jar.toFile())) {
        for (String text : List.of("LICENSE", "NOTICE")) {
          assertThat(open.getEntry("META-INF/" + text)).as("%s in %s", text, jar).isNotNull();
          assertThat(open.getInputStream(open.getEntry("META-INF/" + text)))
              .hasBinaryContent(Files.readAllBytes(Path.of("../..", text)));
        }
      }
    }
  }

  @Test
  void theAdapterNamesTheLibrariesThatItContains() throws IOException {
    try (JarFile adapter = new JarFile(ADAPTER)) {
      String named =
          new String(
              adapter.getInputStream(adapter.getEntry("META-INF/THIRD-PARTY.txt")).readAllBytes(),
              StandardCharsets.UTF_8);
      List<String> libraries =
          adapter.stream()
              .map(JarEntry::getName)
              .filter(name -> name.endsWith(".jar") && !name.startsWith("postbox"))
              .map(name -> name.replaceFirst("-[0-9].*", ""))
              .toList();

      assertThat(libraries).hasSizeGreaterThan(20);
      assertThat(libraries).allMatch(name -> named.contains(":" + name + " "));
    }
  }
}
