package io.postbox.it.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects what is not as it should be, so that a table is gone through to its end. */
final class Deviations {
  private final List<String> found = new ArrayList<>();

  void same(String what, Object actual, Object expected) {
    holds(what, Objects.equals(actual, expected), actual + " instead of " + expected);
  }

  void holds(String what, boolean holds, Object actual) {
    if (!holds) {
      found.add(what + ": " + actual);
    }
  }

  void check() {
    assertThat(found).isEmpty();
  }
}
