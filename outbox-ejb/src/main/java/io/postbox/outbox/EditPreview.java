package io.postbox.outbox;

import io.postbox.common.PlanToken;
import java.util.List;
import java.util.Optional;

/**
 * The result that an edit of a dead letter would have, without its content.
 *
 * @param token the plan of the edit: valid once, for an hour, on any node, and only for the calling
 *     principal
 * @param key goes with the plan's id to {@link DeadLetters#edit(UUID, String, UUID, MessageEdit,
 *     String)}: under it the plan has a digest of the change, which it does not contain
 * @param letter the letter as it is
 * @param source the service that sends it, {@code OutboxSource}
 * @param replyTo the logical name of where replies go; an edit keeps it
 * @param before its content as it is
 * @param after its content with the edit
 */
public record EditPreview(
    PlanToken token,
    String key,
    DeadLetter letter,
    String source,
    Optional<String> replyTo,
    Content before,
    Content after) {

  /**
   * A content, by its measures.
   *
   * @param contentType the media type of the payload
   * @param bytes the size of the payload, a text in UTF-8; 0 for a reference
   * @param sha256 the SHA-256 of the payload, a text in UTF-8, as 64 hexadecimal digits; empty for
   *     a reference
   * @param properties the names of the JMS properties, in order
   */
  public record Content(
      String contentType, long bytes, Optional<String> sha256, List<String> properties) {
    /** Keeps a copy. */
    public Content {
      properties = List.copyOf(properties);
    }
  }
}
