package io.postbox.common.store;

/** Patterns for {@code LIKE … ESCAPE '!'}. */
public final class LikePattern {
  private LikePattern() {}

  /** For all that contains a text, in which nothing stands for more than itself. */
  public static String containing(String text) {
    return "%" + text.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
  }
}
