package io.postbox.inbox;

import java.util.List;
import java.util.Optional;

/**
 * The effect that an edit would have on a parked message, without its content.
 *
 * @param message the message as it is
 * @param before its content as it is
 * @param after its content with the edit
 * @param state identifies its content as it is, with the values of its properties; for {@link
 *     ParkedEdit#of}
 */
public record ParkedEditPreview(
    ParkedMessage message, Content before, Content after, String state) {

  /**
   * A content, by its measures.
   *
   * @param bodyType the kind of body, as {@link KeptPayload#bodyType}
   * @param bytes the size of the body, a text in UTF-8; 0 without a body
   * @param sha256 the SHA-256 of the body, a text in UTF-8, as 64 hexadecimal digits; empty without
   *     a body
   * @param properties the names of the JMS properties, in order
   */
  public record Content(
      String bodyType, long bytes, Optional<String> sha256, List<String> properties) {
    /** Keeps a copy. */
    public Content {
      properties = List.copyOf(properties);
    }
  }
}
