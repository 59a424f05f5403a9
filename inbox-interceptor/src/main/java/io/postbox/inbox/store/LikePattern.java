package io.postbox.inbox.store;

/** Patterns for {@code LIKE … ESCAPE '!'}. */
final class LikePattern {
  private LikePattern() {}

  /** For all that contains a text, in which nothing stands for more than itself. */
  static String containing(String text) {
    return "%" + text.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
  }
}
