package io.postbox.console.inbox;

import io.postbox.console.http.Json;
import io.postbox.inbox.CaptureControl.Paused;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxStatistics.CapturedStatistics;
import io.postbox.inbox.ParkedMessage;
import io.postbox.inbox.QuarantinedMessage;
import jakarta.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The inbox's records as the API writes them. */
final class InboxJson {
  private static final String HMAC = "HmacSHA256";
  private static final SecretKeySpec KEY = key();

  /** How many octets of it are shown. */
  private static final int SHOWN = 8;

  private InboxJson() {}

  static JsonObject node(InboxNode node) {
    return Json.object()
        .put("name", node.name())
        .put("host", node.host())
        .put("version", node.version())
        .put("startedAt", node.startedAt())
        .put("aliveAt", node.aliveAt())
        .put("readAt", node.readAt())
        .put("alive", node.alive())
        .put(
            "consumers",
            Json.array(
                node.consumers(),
                each ->
                    Json.object()
                        .put("consumer", each.consumer())
                        .put("running", each.running())
                        .put("workers", each.workers())
                        .put("missingWorkers", each.missingWorkers())
                        .build()))
        .put("recordedDeliveries", node.recordedDeliveries())
        .put("triesSuspect", node.triesSuspect())
        .put("recordsAll", node.recordsAll())
        .put("findings", node.findings())
        .put("notChecked", node.notChecked())
        .build();
  }

  static JsonObject pause(Paused paused) {
    return Json.object().putWho(paused.principal(), paused.since(), paused.reason()).build();
  }

  static JsonObject captured(CapturedStatistics counts) {
    return Json.object()
        .put("pending", counts.pending())
        .put("delayed", counts.delayed())
        .put("held", counts.held())
        .put("parked", counts.parked())
        .put("oldestSeconds", counts.oldest())
        .build();
  }

  /**
   * Tells equal bodies from others, and no more: who guesses a body could compare its fingerprint.
   */
  static String shown(String fingerprint) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(KEY);
      return HexFormat.of()
          .formatHex(mac.doFinal(fingerprint.getBytes(StandardCharsets.UTF_8)), 0, SHOWN);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static SecretKeySpec key() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return new SecretKeySpec(key, HMAC);
  }

  static Json parked(ParkedMessage message) {
    return Json.object()
        .put("id", Long.toString(message.id()))
        .put("consumer", message.consumer())
        .put("messageId", message.messageId())
        .put("reason", message.reason())
        .put("error", message.error())
        .put("signature", message.signature())
        .put("attempts", message.attempts())
        .put("source", message.source())
        .put("eventType", message.eventType())
        .put("aggregateType", message.aggregateType())
        .put("aggregateId", message.aggregateId())
        .put("aggregateVersion", message.aggregateVersion())
        .put("fingerprint", shown(message.fingerprint()))
        .put("destination", message.destination())
        .put("replyTo", message.replyTo())
        .put("bodyType", message.bodyType())
        .put("encrypted", message.encrypted())
        .put("parkedAt", message.parkedAt());
  }

  static Json quarantined(QuarantinedMessage message) {
    return Json.object()
        .put("id", Long.toString(message.id()))
        .put("consumer", message.consumer())
        .put("messageId", message.messageId())
        .put("reason", message.reason())
        .put("source", message.source())
        .put("eventType", message.eventType())
        .put("aggregateType", message.aggregateType())
        .put("aggregateId", message.aggregateId())
        .put("fingerprint", shown(message.fingerprint()))
        .put("storedFingerprint", message.storedFingerprint().map(InboxJson::shown))
        .put("destination", message.destination())
        .put("replyTo", message.replyTo())
        .put("bodyType", message.bodyType())
        .put("encrypted", message.encrypted())
        .put("releasedAs", message.releasedAs())
        .put("receivedAt", message.receivedAt());
  }

  static JsonObject attempt(FailedAttempt attempt) {
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
        .put("signature", attempt.signature())
        .build();
  }

  static JsonObject group(FailureGroup group) {
    Json fields =
        Json.object()
            .put("signature", group.signature())
            .put("failures", group.failures())
            .putTime("first", group.first())
            .putValue("latest", group.latest().map(InboxJson::attempt))
            .put("parked", group.parked());
    if (Math.max(group.failures(), group.parked()) >= FailureGroup.MOST_COUNTED) {
      fields.put("more", true);
    }
    return fields.build();
  }
}
