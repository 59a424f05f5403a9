package io.postbox.inbox.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message from which it can be rebuilt.
 *
 * @param type which kind of body it is
 * @param text the body of {@link BodyType#TEXT}, or as JSON with typed values that of {@link
 *     BodyType#MAP} and {@link BodyType#STREAM}
 * @param bytes the body of {@link BodyType#BYTES} and {@link BodyType#TEXT_UTF16}; its position is
 *     never moved
 * @param properties headers and properties as JSON, the properties with their types
 */
public record Content(
    BodyType type, @Nullable String text, @Nullable ByteBuffer bytes, String properties) {

  /** The kinds of bodies. The names are stored; none is longer than 10 characters. */
  public enum BodyType {
    /** A text. */
    TEXT,
    /** A text that not every database can hold as one; kept as UTF-16, big-endian. */
    TEXT_UTF16,
    /** Bytes. */
    BYTES,
    /** Names and values. */
    MAP,
    /** Values in order. */
    STREAM,
    /** No body at all. */
    NONE,
    /** It could not be stored: too large, not readable, or an object. */
    NOT_KEPT
  }

  /** Its stored size in bytes; encrypted slightly more. */
  public long size() {
    return (long) properties.length()
        + (text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length)
        + (bytes == null ? 0 : bytes.remaining());
  }

  /**
   * That it was there, and a few of its headers.
   *
   * @param brief those, as JSON
   */
  public static Content withoutBody(String brief) {
    return new Content(
        BodyType.NOT_KEPT, null, null, "{\"headers\":{},\"properties\":%s}".formatted(brief));
  }
}
