package io.postbox.outbox.jms;

import io.postbox.outbox.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

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
  private static final String ALGORITHM = "HmacSHA256";

  private final String service;
  private final SecretKeySpec key;

  /**
   * @param service the owner of the tables
   * @param key that of the service
   */
  DuplicateDetectionIds(String service, byte[] key) {
    this.service = service;
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** What the broker is to know this message by. */
  String of(StoredMessage message) {
    String text =
        String.join(
            "\0", VERSION, service, message.destination(), message.envelope().id().toString());
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }
}
