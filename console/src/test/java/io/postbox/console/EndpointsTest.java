package io.postbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.console.api.ConsoleApplication;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table {@code endpoints.txt} has every resource method there is, with its role; {@code
 * ConsoleTests} goes through it in the real server, and docs/console.md shows it.
 */
class EndpointsTest {
  private static final java.nio.file.Path TABLE =
      java.nio.file.Path.of("src/test/resources/endpoints.txt");

  @Test
  void theTableHasEveryResourceMethodAndItsRole() throws IOException {
    assertThat(declared()).containsExactlyInAnyOrderElementsOf(Files.readAllLines(TABLE));
  }

  @Test
  void theDocumentHasEveryResourceMethodAndItsRole() throws IOException {
    String document = Files.readString(java.nio.file.Path.of("../docs/console.md"));

    assertThat(declared())
        .allSatisfy(
            line -> {
              String[] parts = line.split(" ");
              assertThat(document)
                  .contains("| %s | `%s` | %s |".formatted(parts[0], parts[1], parts[2]));
            });
  }

  private static List<String> declared() {
    return new ConsoleApplication()
        .getClasses().stream()
            .filter(type -> type.isAnnotationPresent(Path.class))
            .flatMap(
                type ->
                    Stream.concat(
                            Arrays.stream(type.getDeclaredMethods()),
                            Arrays.stream(type.getSuperclass().getDeclaredMethods()))
                        .flatMap(method -> line(type, method)))
            .toList();
  }

  private static Stream<String> line(Class<?> type, Method method) {
    return verb(method).stream()
        .map(
            verb ->
                verb
                    + " "
                    + Stream.of(type.getAnnotation(Path.class), path(method))
                        .filter(path -> path != null && !path.value().isEmpty())
                        .map(Path::value)
                        .reduce((above, below) -> above + "/" + below)
                        .orElse("")
                    + " "
                    + Optional.ofNullable(method.getAnnotation(Requires.class))
                        .map(
                            requires ->
                                Stream.of(requires.value())
                                    .map(Role::shortName)
                                    .collect(Collectors.joining("/")))
                        .orElse("nobody"));
  }

  private static Path path(Method method) {
    return method.getAnnotation(Path.class);
  }

  private static Optional<String> verb(Method method) {
    for (Annotation each : method.getAnnotations()) {
      HttpMethod verb = each.annotationType().getAnnotation(HttpMethod.class);
      if (verb != null) {
        return Optional.of(verb.value());
      }
    }
    return Optional.empty();
  }
}
