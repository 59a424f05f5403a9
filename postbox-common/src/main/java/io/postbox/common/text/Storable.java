package io.postbox.common.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** Checks and repairs texts so that every database stores them unchanged. */
public final class Storable {
  /** Format characters: marks of the direction, joiners, tags. */
  private static final Pattern UNSEEN = Pattern.compile("\\p{Cf}");

  private Storable() {}

  /** Whether a short text can be a name or an id: real Unicode without control characters. */
  public static boolean is(String text) {
    return isText(text) && text.chars().noneMatch(Character::isISOControl);
  }

  /**
   * Whether a text can be a payload: no NUL, which PostgreSQL refuses, and no unpaired surrogates.
   */
  public static boolean isText(String text) {
    return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** A text as one line of limited length that every database stores. */
  public static String line(String text, int longest) {
    return cut(printable(text), longest);
  }

  /**
   * The beginning of a text, in whole characters: an unpaired surrogate, which no database stores,
   * becomes U+FFFD.
   *
   * @param longest how many characters at most, as Java counts them; at least 1
   */
  public static String cut(String text, int longest) {
    String whole = text.replaceAll("\\p{Cs}", "\uFFFD");
    if (whole.length() <= longest) {
      return whole;
    }
    int end = Character.isHighSurrogate(whole.charAt(longest - 1)) ? longest - 1 : longest;
    return whole.substring(0, end);
  }

  /**
   * Replaces control characters by blanks, so that no one can forge a line, and invisible
   * characters by their number, so that no one can change the order in which the text is read.
   */
  public static String printable(String text) {
    String line = text.replaceAll("[\\p{IsControl}\\x{2028}\\x{2029}]+", " ");
    return UNSEEN
        .matcher(line)
        .replaceAll(
            unseen -> String.format(Locale.ROOT, "\\\\u%04X", unseen.group().codePointAt(0)));
  }
}
