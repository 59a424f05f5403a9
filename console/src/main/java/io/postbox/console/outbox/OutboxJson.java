package io.postbox.console.outbox;

import io.postbox.console.http.Json;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.OutboxNode;
import java.util.Optional;
import java.util.function.IntFunction;

/** The outbox's records as the API writes them. */
final class OutboxJson {
  private OutboxJson() {}

  /**
   * A node.
   *
   * @param holder says who holds a stuck partition
   */
  static Json node(OutboxNode node, IntFunction<Optional<String>> holder) {
    return Json.object()
        .putNode(node)
        .put("relay", node.relay())
        .put("workers", node.workers())
        .putTime("polledAt", node.polledAt())
        .put(
            "breakers",
            node.breakers(),
            each -> breaker(each).put("destination", each.destination()))
        .put(
            "claims",
            node.claims(),
            claim ->
                Json.object()
                    .put("partition", claim.partition())
                    .put("destinations", claim.destinations())
                    .put("since", claim.since()))
        .put(
            "stuckPartitions",
            node.stuckPartitions(),
            stuck ->
                Json.object()
                    .put("partition", stuck.partition())
                    .put("since", stuck.since())
                    .put("holder", holder.apply(stuck.partition())));
  }

  static Json breaker(OutboxNode.OpenBreaker breaker) {
    return Json.object()
        .put("state", breaker.state())
        .put("since", breaker.since())
        .put("probeAt", breaker.probeAt())
        .put("failures", breaker.failures())
        .put("error", breaker.error());
  }

  static Json letter(DeadLetter letter) {
    return Json.object()
        .put("seq", letter.seq())
        .put("id", letter.id().toString())
        .put("destination", letter.destination())
        .put("orderingKey", letter.orderingKey())
        .put("aggregateType", letter.aggregateType())
        .put("aggregateId", letter.aggregateId())
        .put("eventType", letter.eventType())
        .put("schemaVersion", letter.schemaVersion())
        .put("contentType", letter.contentType())
        .put("traceParent", letter.traceParent())
        .put("attempts", letter.attempts())
        .put("enqueuedAt", letter.enqueuedAt())
        .put("diedAt", letter.diedAt())
        .put("lastError", letter.lastError())
        .put("signature", letter.signature());
  }

  static Json found(FoundMessage message) {
    return Json.object()
        .put("where", message.archived() ? "archive" : "outbox")
        .put("seq", message.seq())
        .put("id", message.id().toString())
        .put("status", message.status())
        .put("destination", message.destination())
        .put("orderingKey", message.orderingKey())
        .put("aggregateType", message.aggregateType())
        .put("aggregateId", message.aggregateId())
        .put("eventType", message.eventType())
        .put("schemaVersion", message.schemaVersion())
        .put("contentType", message.contentType())
        .put("traceParent", message.traceParent())
        .put("attempts", message.attempts())
        .put("at", message.endedAt().orElse(message.enqueuedAt()))
        .put("enqueuedAt", message.enqueuedAt())
        .putTime("dueAt", message.dueAt())
        .putTime("expiresAt", message.expiresAt())
        .putTime("endedAt", message.endedAt())
        .put("lastError", message.lastError())
        .put("signature", message.signature())
        .putTime("erasedAt", message.erasedAt());
  }

  static Json attempt(FailedAttempt attempt) {
    return Json.object()
        .put("messageId", attempt.messageId().toString())
        .put("number", attempt.number())
        .put("destination", attempt.destination())
        .put("attempt", attempt.attempt())
        .put("dead", attempt.dead())
        .put("node", attempt.node())
        .put("at", attempt.at())
        .put("errorClass", attempt.errorClass())
        .put("error", attempt.error())
        .put("frame", attempt.frame())
        .put("signature", attempt.signature());
  }

  static Json group(FailureGroup group) {
    Json fields =
        Json.object()
            .put("signature", group.signature())
            .put("failures", group.failures())
            .putTime("first", group.first())
            .putObject("latest", group.latest().map(OutboxJson::attempt))
            .put("dead", group.dead())
            .put("retrying", group.retrying());
    long most = Math.max(group.failures(), Math.max(group.dead(), group.retrying()));
    if (most >= FailureGroup.MOST_COUNTED) {
      fields.put("more", true);
    }
    return fields;
  }
}
