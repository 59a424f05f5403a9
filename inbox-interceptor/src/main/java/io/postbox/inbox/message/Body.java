package io.postbox.inbox.message;

/** The state of a delivery's body before its handler runs. */
public sealed interface Body {
  /** Under what attempts count that end before the handler is called; empty for nothing. */
  default String key() {
    return "";
  }

  /** The body was read, and can be read again. */
  record Whole() implements Body {}

  /** The body is left out: only the message's headers and properties are stored. */
  record LeftOut() implements Body {}

  /**
   * The body is an object: storing it would mean deserialising it, which could run any code.
   *
   * @param key the broker's id of the message; empty if there is none
   */
  record Opaque(String key) implements Body {}

  /**
   * The body is larger than its consumer accepts, and was not read to its end.
   *
   * @param size in bytes; it may be larger than this
   * @param limit the most bytes that are allowed
   */
  record TooLarge(long size, long limit) implements Body {}

  /**
   * The provider failed to read the body, or it did not fit into memory.
   *
   * @param key as in {@link Opaque}
   * @param cause the failure
   */
  record Unreadable(String key, Throwable cause) implements Body {}
}
