package io.postbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.console.api.ConsoleApplication;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * JAX-RS first chooses the class whose path matches most of an address, and looks for a method only
 * there: a method of another class below that path is never found.
 */
class PathsTest {

  @Test
  void noClassHidesAMethodOfAnother() {
    List<Class<?>> resources =
        new ConsoleApplication()
            .getClasses().stream().filter(type -> type.isAnnotationPresent(Path.class)).toList();
    List<String> roots =
        resources.stream().map(PathsTest::root).filter(root -> !root.isEmpty()).toList();

    assertThat(resources)
        .allSatisfy(
            type ->
                assertThat(paths(type))
                    .allSatisfy(
                        path ->
                            assertThat(roots)
                                .as(type.getSimpleName() + " has " + path)
                                .noneMatch(
                                    root ->
                                        root.length() > root(type).length()
                                            && (path + "/").startsWith(root + "/"))));
  }

  private static List<String> paths(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Path.class))
        .map(method -> method.getAnnotation(Path.class).value())
        .map(path -> root(type).isEmpty() ? path : root(type) + "/" + path)
        .toList();
  }

  private static String root(Class<?> type) {
    return type.getAnnotation(Path.class).value();
  }
}
