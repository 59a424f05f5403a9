package io.postbox.inbox;

import io.postbox.common.PlanToken;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The effect that an edit would have on a parked message, without its content.
 *
 * @param token the plan of the edit: valid once, for an hour, on any node, and only for the calling
 *     principal
 * @param key goes with the plan's id to {@link ParkedMessages#edit(UUID, String, long, ParkedEdit,
 *     String)}: under it the plan has a digest of the change, which it does not contain
 * @param message the message as it is
 * @param before its content as it is
 * @param after its content with the edit
 */
public record ParkedEditPreview(
    PlanToken token, String key, ParkedMessage message, Content before, Content after) {

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
