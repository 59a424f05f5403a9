package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void record() throws IOException {
    file = folder.resolve("names.txt");
    Files.write(file, List.of("# Readers ask for them.", "one", "two"));
  }

  @Test
  void recordedLinesHold() {
    assertThatCode(() -> new Golden(file, false).holds(Stream.of("one", "two")))
        .doesNotThrowAnyException();
  }

  @Test
  void aDifferenceIsShownWithWhatToDo() {
    assertThatThrownBy(() -> new Golden(file, false).holds(Stream.of("one", "three")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(
            "names.txt", "+ three\n- two", "# Readers ask for them.", "CHANGELOG.md", "write");
  }

  @Test
  void anotherOrderOrNumberIsADifference() {
    for (Stream<String> found : List.of(Stream.of("two", "one"), Stream.of("one", "two", "two"))) {
      assertThatThrownBy(() -> new Golden(file, false).holds(found))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("the same lines, in another order or number");
    }
  }

  @Test
  void writingKeepsTheComments() throws IOException {
    new Golden(file, true).holds(Stream.of("three"));

    assertThat(Files.readAllLines(file)).containsExactly("# Readers ask for them.", "three");
  }

  @Test
  void aMissingFileIsADifference() {
    assertThatThrownBy(() -> new Golden(folder.resolve("none.txt"), false).holds(Stream.of("one")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("+ one");
  }
}
