package io.postbox.browser;

import io.postbox.browser.Chromium.Look;
import java.util.List;

/**
 * The part of these tests that a build runs: all, or with {@code -Dtenth} one look of a page and
 * one of the two classes of walks. Four tenths in a row have all.
 */
final class Drawn {
  private static final String ALL = "all";
  private static final String TENTH = System.getProperty("postbox.tenth", ALL);

  private Drawn() {}

  static List<Look> looks() {
    List<Look> all = List.of(Look.values());
    return TENTH.equals(ALL) ? all : List.of(all.get(Integer.parseInt(TENTH) % all.size()));
  }

  static boolean redrives() {
    return TENTH.equals(ALL) || Integer.parseInt(TENTH) % 2 == 0;
  }

  static boolean troubles() {
    return TENTH.equals(ALL) || !redrives();
  }
}
