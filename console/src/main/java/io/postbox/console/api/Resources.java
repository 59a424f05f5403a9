package io.postbox.console.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The texts that the WAR brings. */
final class Resources {
  private Resources() {}

  /** The lines of a file that are not blank. */
  static List<String> lines(String file) {
    try (InputStream open = Resources.class.getResourceAsStream(file)) {
      if (open == null) {
        throw new IllegalStateException("The console's WAR is not whole: it lacks " + file);
      }
      return new String(open.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("The console's WAR cannot be read: " + file, e);
    }
  }
}
