package io.postbox.outbox;

import java.util.Optional;

/**
 * The content of a dead letter, decrypted if it is encrypted. Its {@link #toString} reveals none of
 * it.
 *
 * @param contentType the media type of the payload
 * @param text the payload, if it is a text
 * @param bytes the payload, if it is octets
 * @param reference the payload's table and id, separated by a slash, if the payload is a reference:
 *     it is loaded when the message is sent
 * @param properties headers and properties as JSON, the properties with their types, for instance
 *     {@code {"properties":{"priority":"integer:5"}}}
 */
public record DeadLetterPayload(
    String contentType,
    Optional<String> text,
    Optional<byte[]> bytes,
    Optional<String> reference,
    String properties) {

  @Override
  public String toString() {
    return "DeadLetterPayload[" + contentType + "]";
  }
}
