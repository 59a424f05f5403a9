package io.postbox.common.text;

/**
 * The mark with which some senders begin a text in UTF-8, as .NET's writers do. It says nothing
 * there, and RFC 8259 lets a reader of JSON ignore it; parsers refuse it.
 */
public final class ByteOrderMark {
  private static final char MARK = '\uFEFF';

  private ByteOrderMark() {}

  /** The text without a mark at its beginning. */
  public static String skip(String text) {
    return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
  }
}
