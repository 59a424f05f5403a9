package io.postbox.outbox.jms;

import io.postbox.common.text.Digests;
import io.postbox.outbox.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * By what the broker knows a repeat of a message. A message's id stands in logs, and whoever may
 * send to the queue could make the broker believe that it has the message already, before it was
 * sent: it would count as sent, and be lost. So the broker is told a MAC of the id, with a key that
 * only the nodes of the service have. It is the same at each attempt, also after a redrive: a
 * message that has arrived is not sent again.
 *
 * <p>The MAC is HMAC-SHA-256 over {@code 1}, the service, the logical destination and the id, each
 * after a zero byte but the first, in UTF-8; written in Base64 for URLs, without padding.
 * Thread-safe.
 */
final class DuplicateDetectionIds {
  private static final String VERSION = "1";

  private final String service;
  private final byte[] key;

  /**
   * @param service the owner of the tables
   * @param key that of the service
   */
  DuplicateDetectionIds(String service, byte[] key) {
    this.service = service;
    this.key = key.clone();
  }

  /** What the broker is to know this message by. */
  String of(StoredMessage message) {
    String text =
        String.join(
            "\0", VERSION, service, message.destination(), message.envelope().id().toString());
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Digests.hmac(key, text.getBytes(StandardCharsets.UTF_8)));
  }
}
