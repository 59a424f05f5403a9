package io.postbox.common.store;

/** Patterns for {@code LIKE … ESCAPE '!'}. */
public final class LikePattern {
  private LikePattern() {}

  /** The pattern for values that contain a text, in which no character is a wildcard. */
  public static String containing(String text) {
    return "%" + text.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
  }
}
