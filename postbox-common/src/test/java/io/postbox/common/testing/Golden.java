package io.postbox.common.testing;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file in {@code src/test/golden} that records what nodes of other releases, tables, messages in
 * transit, or dashboards rely on. A test that finds another result fails; with {@code
 * -Dgolden=write} it writes the file anew. The file's comments, lines that begin with {@code #},
 * say what breaks and how to change it; they stay.
 */
public final class Golden {
  private static final String REWRITE =
      "./mvnw test -Dgolden=write -Dtest='*GoldenTest' -Dsurefire.failIfNoSpecifiedTests=false";

  private final Path file;
  private final boolean rewrite;

  /**
   * @param subject the name of the file without its ending
   */
  public static Golden of(String subject) {
    return new Golden(
        Path.of("src/test/golden", subject + ".txt"),
        "write".equals(System.getProperty("golden", "")));
  }

  Golden(Path file, boolean rewrite) {
    this.file = file;
    this.rewrite = rewrite;
  }

  /** The lines on record, without comments. */
  public List<String> lines() {
    return read().filter(line -> !isComment(line)).toList();
  }

  /** Fails with the difference if the lines are not those on record. */
  public void holds(Stream<String> found) {
    List<String> lines = found.toList();
    List<String> recorded = lines();
    if (lines.equals(recorded)) {
      return;
    }
    List<String> comments = read().filter(Golden::isComment).toList();
    if (rewrite) {
      write(Stream.concat(comments.stream(), lines.stream()).toList());
      return;
    }
    List<String> difference = new ArrayList<>(lines.stream().map(line -> "+ " + line).toList());
    difference.removeIf(line -> recorded.contains(line.substring(2)));
    recorded.stream()
        .filter(line -> !lines.contains(line))
        .map(line -> "- " + line)
        .forEach(difference::add);
    if (difference.isEmpty()) {
      difference.add("the same lines, in another order or number");
    }
    fail(
        "%s holds what other releases rely on, and this build differs:\n%s\n%s\nIf that is intended, say it in CHANGELOG.md and write the file anew: %s",
        file, String.join("\n", difference), String.join("\n", comments), REWRITE);
  }

  private static boolean isComment(String line) {
    return line.startsWith("#");
  }

  private Stream<String> read() {
    try {
      return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.empty();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void write(List<String> lines) {
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, lines);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }
}
