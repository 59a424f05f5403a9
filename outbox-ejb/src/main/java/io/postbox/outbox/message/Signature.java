package io.postbox.outbox.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * What errors of one cause have in common, and others have not: a hash over their text without ids
 * and numbers. It tells nothing of a message's content, so that it can be searched and grouped by.
 * The inbox's are made in the same way.
 */
public final class Signature {
  /** How many characters a signature has, all of them hexadecimal digits. */
  public static final int LENGTH = 32;

  private static final int LONGEST_TEXT = 500;

  /** Ids of many kinds: UUIDs, hexadecimal numbers, words with digits in them, numbers. */
  private static final Pattern VARYING =
      Pattern.compile("0[xX][0-9a-fA-F]+|[\\p{L}\\p{N}_-]*\\p{N}[\\p{L}\\p{N}_-]*");

  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern SEVERAL =
      Pattern.compile("\\?(?:[\\s.,:;/+-]*\\?)+"); // 1,000.50 is as much one number as 7
  private static final Pattern BLANKS = Pattern.compile("[\\p{Space}\\p{IsControl}]+");

  private Signature() {}

  /** Of an error by its text, which names the class of what was thrown. */
  public static String of(String error) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((byte) 0); // where the inbox has a class
      digest.update(normalised(error).getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update((byte) 0); // and a place
      return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }

  /** A text without what differs from one error to the next of the same cause. */
  static String normalised(String error) {
    String text = error.length() > LONGEST_TEXT ? error.substring(0, LONGEST_TEXT) : error;
    text = QUOTED.matcher(text).replaceAll("?");
    text = VARYING.matcher(text).replaceAll("?");
    text = SEVERAL.matcher(text).replaceAll("?");
    return BLANKS.matcher(text).replaceAll(" ").strip();
  }
}
