package io.postbox.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The fields of a message that is being built; a message's own draft never changes. */
final class MessageDraft {
  final String destination;
  final Map<String, Object> properties;
  boolean unordered;
  @Nullable String orderedBy;
  @Nullable UUID id;
  @Nullable String event;
  OutboxMessage.@Nullable Aggregate aggregate;
  @Nullable String dataSubject;
  @Nullable Payload payload;
  @Nullable String correlationId;
  @Nullable String replyTo;
  @Nullable String schemaVersion;
  @Nullable Long aggregateVersion;
  @Nullable Instant notBefore;
  @Nullable Duration expiresAfter;
  @Nullable String traceParent;
  @Nullable String traceState;

  MessageDraft(String destination) {
    this.destination = destination;
    properties = new LinkedHashMap<>();
  }

  MessageDraft(MessageDraft other) {
    destination = other.destination;
    properties = new LinkedHashMap<>(other.properties);
    unordered = other.unordered;
    orderedBy = other.orderedBy;
    id = other.id;
    event = other.event;
    aggregate = other.aggregate;
    dataSubject = other.dataSubject;
    payload = other.payload;
    correlationId = other.correlationId;
    replyTo = other.replyTo;
    schemaVersion = other.schemaVersion;
    aggregateVersion = other.aggregateVersion;
    notBefore = other.notBefore;
    expiresAfter = other.expiresAfter;
    traceParent = other.traceParent;
    traceState = other.traceState;
  }
}
