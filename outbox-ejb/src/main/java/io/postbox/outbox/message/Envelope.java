package io.postbox.outbox.message;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as the table holds it. Exactly one of {@code text} and {@code bytes} is there.
 *
 * @param id the message id
 * @param destination the logical name
 * @param orderingKey messages with the same key and destination keep their order
 * @param aggregateType what the message is about
 * @param aggregateId which one
 * @param eventType what happened
 * @param schemaVersion version of the payload's schema
 * @param contentType media type of the payload
 * @param text the payload, if it is text
 * @param bytes the payload, if it is binary
 * @param headers all that no statement asks for, as {@link Headers#toJson} writes it
 */
@SuppressWarnings("ArrayRecordComponent") // a payload is never compared nor changed
public record Envelope(
    UUID id,
    String destination,
    @Nullable String orderingKey,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String eventType,
    @Nullable String schemaVersion,
    String contentType,
    @Nullable String text,
    byte @Nullable [] bytes,
    String headers) {

  /** Names the message without its payload. */
  @Override
  public String toString() {
    return "message " + id + " to " + destination;
  }
}
