package io.postbox.common;

import java.util.List;
import java.util.Optional;

/**
 * The result that an edit of a message would have, without its content, and the plan of it.
 *
 * @param token the plan: valid once, for an hour, on any node, and only for the calling principal
 * @param key is needed with the plan's id to carry it out: under it the plan has a digest of the
 *     change, which it does not contain
 * @param message the message as it is
 * @param source the service that sends it, {@code OutboxSource}, if that is known
 * @param replyTo where replies go; an edit keeps it
 * @param before its content as it is
 * @param after its content with the edit
 * @param <M> the type of the message
 */
public record EditPreview<M>(
    PlanToken token,
    String key,
    M message,
    Optional<String> source,
    Optional<String> replyTo,
    Content before,
    Content after) {

  /**
   * A content, by its measures.
   *
   * @param type the media type of a dead letter, the kind of body of a parked message
   * @param bytes the size of the body, a text in UTF-8; 0 without a body, and for a reference
   * @param sha256 the SHA-256 of the body, a text in UTF-8, as 64 hexadecimal digits; empty without
   *     a body, and for a reference
   * @param properties the names of the JMS properties, in order
   */
  public record Content(String type, long bytes, Optional<String> sha256, List<String> properties) {
    /** Keeps a copy. */
    public Content {
      properties = List.copyOf(properties);
    }
  }
}
