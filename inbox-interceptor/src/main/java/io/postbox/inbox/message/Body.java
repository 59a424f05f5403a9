package io.postbox.inbox.message;

/** The state of a delivery's body before its handler runs. */
public sealed interface Body {

  /** It was read, and can be again. */
  record Whole() implements Body {}

  /** It was left out: only the message's headers and properties are stored. */
  record LeftOut() implements Body {}

  /**
   * An object, whose body would have to be deserialised to be stored, which could run any code.
   *
   * @param key what the broker calls the message, under which tries can be counted that end before
   *     its handler begins; empty if it has no such name
   */
  record Opaque(String key) implements Body {}

  /**
   * It is larger than its consumer takes, and was not read, or not to its end.
   *
   * @param size in bytes, or so many at least
   * @param limit how many are allowed
   */
  record TooLarge(long size, long limit) implements Body {}

  /**
   * The provider failed to read it, or it did not fit the memory.
   *
   * @param key as in {@link Opaque}
   * @param cause why
   */
  record Unreadable(String key, Throwable cause) implements Body {}
}
