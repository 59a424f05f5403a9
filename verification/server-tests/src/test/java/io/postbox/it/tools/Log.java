package io.postbox.it.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A log file, from a place in it.
 *
 * @param file where it is
 * @param from the offset at which the part to read begins
 */
public record Log(Path file, long from) {

  /** The log from now on. */
  public static Log fromNow(Path file) {
    try {
      return new Log(file, Files.exists(file) ? Files.size(file) : 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server's own, from its start; for tests within the server. */
  public static Log ofServer() {
    return new Log(Path.of(Names.variable("it.log")), 0);
  }

  /** The lines since. */
  public String text() {
    try (var in = Files.newInputStream(file)) {
      in.skipNBytes(from);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines since that contain all of these. */
  public List<String> lines(String... parts) {
    return text().lines().filter(line -> List.of(parts).stream().allMatch(line::contains)).toList();
  }
}
