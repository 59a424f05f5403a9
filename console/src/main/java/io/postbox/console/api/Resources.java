package io.postbox.console.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The texts that the WAR brings. */
final class Resources {
  private Resources() {}

  /**
   * The lines of a file as a map.
   *
   * @param line of which the first group is the key and the second one the value
   */
  static Map<String, String> texts(String file, Pattern line) {
    try (InputStream open = Resources.class.getResourceAsStream(file)) {
      if (open == null) {
        throw new IllegalStateException("The console's WAR is not whole: it lacks " + file);
      }
      return new String(open.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line::matcher)
          .filter(Matcher::matches)
          .collect(Collectors.toUnmodifiableMap(it -> it.group(1), it -> it.group(2)));
    } catch (IOException e) {
      throw new UncheckedIOException("The console's WAR cannot be read: " + file, e);
    }
  }
}
