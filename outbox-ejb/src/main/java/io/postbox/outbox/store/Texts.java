package io.postbox.outbox.store;

/** Texts that have to fit into a column. */
public final class Texts {
  private Texts() {}

  /**
   * The beginning of a text, in whole characters: half of a surrogate pair is kept by no database,
   * and becomes U+FFFD.
   *
   * @param longest how many characters at most, as Java counts them; at least 1
   */
  public static String cut(String text, int longest) {
    String whole = text.replaceAll("\\p{Cs}", "\uFFFD");
    if (whole.length() <= longest) {
      return whole;
    }
    boolean halves = Character.isHighSurrogate(whole.charAt(longest - 1));
    return whole.substring(0, halves ? longest - 1 : longest);
  }
}
