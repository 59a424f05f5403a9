package io.postbox.browser;

import io.postbox.browser.Chromium.Look;
import io.postbox.common.testing.Tenth;
import java.util.List;

/**
 * The part of these tests that a build runs: all, or with {@code -Dtenth} one look of a page and
 * one of the two classes of walks. Four tenths in a row have all.
 */
final class Drawn {
  private static final List<Class<?>> WALKS = List.of(RedriveWalksIT.class, TroubleWalksIT.class);

  private Drawn() {}

  static List<Look> looks() {
    return Tenth.turn(List.of(Look.values()));
  }

  static boolean redrives() {
    return Tenth.turn(WALKS).contains(RedriveWalksIT.class);
  }

  static boolean troubles() {
    return Tenth.turn(WALKS).contains(TroubleWalksIT.class);
  }
}
