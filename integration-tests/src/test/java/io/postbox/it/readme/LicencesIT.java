package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each archive that leaves the house says under which licence. */
class LicencesIT {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../postbox-common",
        "../outbox-ejb",
        "../inbox-interceptor",
        "../inbox-http",
        "../sample-ear/sample-ejb",
        "../testkit",
        "../testkit/postgresql-xa"
      })
  void everyJarHasLicenceAndNotice(String module) throws IOException {
    List<Path> jars;
    try (Stream<Path> files = Files.list(Path.of(module, "target"))) {
      jars = files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
    assertThat(jars).isNotEmpty();
    for (Path jar : jars) {
      try (JarFile open = new JarFile(jar.toFile())) {
        for (String text : List.of("LICENSE", "NOTICE")) {
          assertThat(open.getEntry("META-INF/" + text)).as("%s in %s", text, jar).isNotNull();
          assertThat(open.getInputStream(open.getEntry("META-INF/" + text)))
              .hasBinaryContent(Files.readAllBytes(Path.of("..", text)));
        }
      }
    }
  }
}
