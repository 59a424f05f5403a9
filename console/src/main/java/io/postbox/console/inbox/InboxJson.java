package io.postbox.console.inbox;

import io.postbox.common.text.Digests;
import io.postbox.console.http.Json;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxStatistics.CapturedStatistics;
import io.postbox.inbox.KeptMessage;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/** The inbox's records as the API writes them. */
final class InboxJson {
  private static final byte[] KEY = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);

  /** How many octets of it are shown. */
  private static final int SHOWN = 8;

  private InboxJson() {}

  static Json node(InboxNode node) {
    return Json.object()
        .putNode(node)
        .put(
            "consumers",
            node.consumers(),
            each ->
                Json.object()
                    .put("consumer", each.consumer())
                    .put("running", each.running())
                    .put("workers", each.workers())
                    .put("missingWorkers", each.missingWorkers()))
        .put("recordedDeliveries", node.recordedDeliveries())
        .put("triesSuspect", node.triesSuspect())
        .put("recordsAll", node.recordsAll());
  }

  static Json captured(CapturedStatistics counts) {
    return Json.object()
        .put("pending", counts.pending())
        .put("delayed", counts.delayed())
        .put("held", counts.held())
        .put("parked", counts.parked())
        .put("oldestSeconds", counts.oldest());
  }

  /**
   * Tells equal bodies from others, and no more: who guesses a body could compare its fingerprint.
   */
  static String shown(String fingerprint) {
    byte[] code = Digests.hmac(KEY, fingerprint.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(code, 0, SHOWN);
  }

  static Json parked(KeptMessage message) {
    return kept(message, true).put("parkedAt", message.keptAt());
  }

  static Json quarantined(KeptMessage message) {
    return kept(message, false).put("receivedAt", message.keptAt());
  }

  private static Json kept(KeptMessage message, boolean hasFailed) {
    Json fields =
        Json.object()
            .put("id", Long.toString(message.id()))
            .put("consumer", message.consumer())
            .put("messageId", message.messageId())
            .put("reason", message.reason());
    if (hasFailed) {
      fields
          .put("error", message.error())
          .put("signature", message.signature())
          .put("attempts", message.attempts());
    }
    return fields
        .put("source", message.source())
        .put("eventType", message.eventType())
        .put("aggregateType", message.aggregateType())
        .put("aggregateId", message.aggregateId())
        .put("aggregateVersion", message.aggregateVersion())
        .put("fingerprint", shown(message.fingerprint()))
        .put("storedFingerprint", message.storedFingerprint().map(InboxJson::shown))
        .put("destination", message.destination())
        .put("replyTo", message.replyTo())
        .put("bodyType", message.bodyType())
        .put("encrypted", message.encrypted())
        .put("releasedAs", message.releasedAs());
  }

  static Json attempt(FailedAttempt attempt) {
    return Json.object()
        .put("consumer", attempt.consumer())
        .put("messageId", attempt.messageId())
        .put("attempt", attempt.attempt())
        .put("kind", attempt.kind())
        .put("times", attempt.times())
        .put("redriven", attempt.redriven())
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
            .putObject("latest", group.latest().map(InboxJson::attempt))
            .put("parked", group.parked());
    if (Math.max(group.failures(), group.parked()) >= FailureGroup.MOST_COUNTED) {
      fields.put("more", true);
    }
    return fields;
  }
}
