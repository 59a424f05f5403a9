package io.postbox.outbox;

/** A message's payload. */
public sealed interface Payload {
  /**
   * Characters, sent as a JMS {@code TextMessage}.
   *
   * @param value the text
   */
  record Text(String value) implements Payload {}

  /**
   * Octets, sent as a JMS {@code BytesMessage}.
   *
   * @param value the octets, not copied again: do not change them
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is copied only on entry
  record Bytes(byte[] value) implements Payload {}

  /**
   * An object that JSON-B serialises when the message is enqueued.
   *
   * @param value the object
   */
  record Json(Object value) implements Payload {}

  /**
   * A reference to a payload that a {@link PayloadLoader} loads when the message is sent.
   *
   * @param table the payload's table
   * @param id the payload's id in that table
   */
  record Reference(String table, String id) implements Payload {}
}
