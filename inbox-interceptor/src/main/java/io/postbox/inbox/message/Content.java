package io.postbox.inbox.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message from which it can be rebuilt.
 *
 * @param type the kind of body
 * @param text the body of {@link BodyType#TEXT}, or that of {@link BodyType#MAP} and {@link
 *     BodyType#STREAM} as JSON with typed values
 * @param bytes the body of {@link BodyType#BYTES} and {@link BodyType#TEXT_UTF16}; its position
 *     never changes
 * @param properties headers and properties as JSON, the properties with their types
 */
public record Content(
    BodyType type, @Nullable String text, @Nullable ByteBuffer bytes, String properties) {

  /** The kinds of bodies. The names are stored; none is longer than 10 characters. */
  public enum BodyType {
    /** Text. */
    TEXT,
    /** Text that not every database can store as text; stored as UTF-16, big-endian. */
    TEXT_UTF16,
    /** Bytes. */
    BYTES,
    /** Names and values. */
    MAP,
    /** Values in order. */
    STREAM,
    /** No body at all. */
    NONE,
    /** A body that could not be stored: too large, not readable, or an object. */
    NOT_KEPT
  }

  /** Its stored size in bytes; encrypted slightly more. */
  public long size() {
    return (long) properties.length()
        + (text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length)
        + (bytes == null ? 0 : bytes.remaining());
  }

  /**
   * Content with a few headers and no body.
   *
   * @param brief the headers as JSON
   */
  public static Content withoutBody(String brief) {
    return new Content(
        BodyType.NOT_KEPT, null, null, "{\"headers\":{},\"properties\":%s}".formatted(brief));
  }
}
