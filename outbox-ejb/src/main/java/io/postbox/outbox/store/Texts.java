package io.postbox.outbox.store;

/** Texts that have to fit into a column. */
public final class Texts {
  private Texts() {}

  /**
   * The beginning of a text, never up to between the halves of a surrogate pair, of which no
   * database takes one alone.
   *
   * @param longest how many characters at most, as Java counts them; at least 1
   */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean halves = Character.isHighSurrogate(text.charAt(longest - 1));
    return text.substring(0, halves ? longest - 1 : longest);
  }
}
