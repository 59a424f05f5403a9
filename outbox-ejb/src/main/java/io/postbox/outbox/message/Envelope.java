package io.postbox.outbox.message;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as the table holds it.
 *
 * @param id the message id
 * @param destination the logical name
 * @param orderingKey messages with the same key and destination keep their order
 * @param aggregateType the type of the aggregate that it concerns
 * @param aggregateId which one
 * @param dataSubject the digest of whom it is about
 * @param eventType the type of the event
 * @param schemaVersion version of the payload's schema
 * @param contentType media type of the payload
 * @param body the payload
 * @param headers all that no statement asks for, as {@link Headers#toJson} writes it
 * @param traceParent the W3C trace context of the enqueuing code
 */
public record Envelope(
    UUID id,
    String destination,
    @Nullable String orderingKey,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String dataSubject,
    @Nullable String eventType,
    @Nullable String schemaVersion,
    String contentType,
    Body body,
    String headers,
    @Nullable String traceParent) {

  /** The same with its payload and its headers in another form. */
  public Envelope carrying(String otherType, Body otherBody, String otherHeaders) {
    return new Envelope(
        id,
        destination,
        orderingKey,
        aggregateType,
        aggregateId,
        dataSubject,
        eventType,
        schemaVersion,
        otherType,
        otherBody,
        otherHeaders,
        traceParent);
  }

  /** Names the message without its payload. */
  @Override
  public String toString() {
    return "message " + id + " to " + destination;
  }
}
