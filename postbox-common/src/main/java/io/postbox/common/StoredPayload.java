package io.postbox.common;

import java.util.Optional;

/**
 * The content of a message that is kept for operators, decrypted if it is encrypted. Its {@link
 * #toString} reveals none of it.
 *
 * @param type of a dead letter the media type of the payload; of an inbox's message the kind of
 *     body: {@code TEXT}, {@code BYTES}, {@code MAP}, {@code STREAM}, {@code NONE}, or {@code
 *     NOT_KEPT} if it was too large, could not be read or is an object: such a message cannot be
 *     redriven without an edit that gives it a body
 * @param text the payload, if it is a text; that of {@code MAP} and {@code STREAM} as JSON with
 *     typed values, for instance {@code {"amount":"integer:5"}}
 * @param bytes the payload, if it is octets
 * @param reference the payload's table and id, separated by a slash, if the payload of a dead
 *     letter is a reference: it is loaded when the message is sent
 * @param properties headers and properties as JSON, the properties with their types, for instance
 *     {@code {"properties":{"priority":"integer:5"}}}; of a message that came to the inbox without
 *     JMS also its {@code origin}, and its headers as {@code originHeaders}
 */
public record StoredPayload(
    String type,
    Optional<String> text,
    Optional<byte[]> bytes,
    Optional<String> reference,
    String properties) {

  @Override
  public String toString() {
    return "StoredPayload[" + type + "]";
  }
}
