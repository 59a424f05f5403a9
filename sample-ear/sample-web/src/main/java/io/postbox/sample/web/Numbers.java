package io.postbox.sample.web;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads numbers out of addresses. */
final class Numbers {
  private static final Pattern ID = Pattern.compile("[0-9]{1,18}");

  private Numbers() {}

  /** An id; empty if the text cannot be one. */
  static OptionalLong id(@Nullable String text) {
    return text != null && ID.matcher(text).matches()
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /**
   * A number of results.
   *
   * @throws BadInputException if it is none, or out of bounds
   */
  static int limit(String text, int largest) {
    long limit = id(text).orElse(0);
    if (limit < 1 || limit > largest) {
      throw new BadInputException("limit", text, "must be a whole number from 1 to " + largest);
    }
    return (int) limit;
  }
}
