package io.postbox.inbox;

import java.util.Optional;

/**
 * The content of a kept message, decrypted if it is encrypted. Its {@link #toString} reveals none
 * of it.
 *
 * @param bodyType the kind of body: {@code TEXT}, {@code BYTES}, {@code MAP}, {@code STREAM},
 *     {@code NONE}, or {@code NOT_KEPT} if it was too large, could not be read or is an object:
 *     such a message cannot be redriven without an edit that gives it a body
 * @param text the body of {@code TEXT}, or that of {@code MAP} and {@code STREAM} as JSON with
 *     typed values, for instance {@code {"amount":"integer:5"}}
 * @param bytes the body of {@code BYTES}
 * @param properties headers and properties as JSON, the properties with their types; of a message
 *     that arrived without JMS also its {@code origin}, and its headers as {@code originHeaders}
 */
public record KeptPayload(
    String bodyType, Optional<String> text, Optional<byte[]> bytes, String properties) {

  @Override
  public String toString() {
    return "KeptPayload[" + bodyType + "]";
  }
}
