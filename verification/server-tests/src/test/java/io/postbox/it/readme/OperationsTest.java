package io.postbox.it.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The runbook and the code know the same log lines and findings. */
class OperationsTest {
  private static final Path RUNBOOK = Path.of("../../docs/operations.md");
  private static final Path COMMON = Path.of("../../postbox-common");
  private static final Pattern FINDING =
      Pattern.compile("(?:found|new Finding)\\(\\s*\"([a-z0-9]+(?:-[a-z0-9]+)*)\"");

  private static final Pattern METRIC =
      Pattern.compile(
          "(?:meter|gauge|timer|Counted|\\.show)\\(\\s*(?:consumer,\\s*)?\"([a-z_]+)\"");

  @ParameterizedTest
  @CsvSource({"OBX, ../../outbox-ejb", "IBX, ../../inbox-interceptor"})
  void everyLineOfTheLogIsInItAndNoOther(String prefix, Path module) throws IOException {
    Pattern id = Pattern.compile(prefix + "\\d{4}");
    Set<String> logged = all(id, sources(module) + sources(COMMON)); // has what both modules log

    assertThat(logged).hasSizeGreaterThan(20);
    assertThat(all(id, Files.readString(RUNBOOK))).isEqualTo(logged);
  }

  @Test
  void everyFindingIsInIt() throws IOException {
    Set<String> findings =
        all(
            FINDING,
            Stream.of("postbox-common", "outbox-ejb", "inbox-interceptor")
                .map(module -> sources(Path.of("../..", module)))
                .collect(Collectors.joining()));

    assertThat(findings).hasSizeGreaterThan(15);
    assertThat(all(Pattern.compile("`([a-z0-9-]+)`"), Files.readString(RUNBOOK)))
        .containsAll(findings);
  }

  @ParameterizedTest
  @CsvSource({"outbox, ../../outbox-ejb", "inbox, ../../inbox-interceptor"})
  void everyMetricIsInIt(String name, Path module) throws IOException {
    Set<String> metrics = all(METRIC, sources(module));
    String runbook = Files.readString(RUNBOOK);
    int table = runbook.indexOf("`postbox_" + name + "_…`");
    String from = runbook.substring(table);

    assertThat(metrics).hasSizeGreaterThan(8);
    assertThat(metrics)
        .allMatch(
            metric -> from.matches("(?s).*`" + metric + "(_total|_seconds|_bytes)?`.*"),
            "in the table");
  }

  private static Set<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(found.groupCount()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String sources(Path module) {
    try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(OperationsTest::read)
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
