package io.postbox.outbox.jms;

import io.postbox.common.text.Digests;
import io.postbox.outbox.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The ids by which the broker recognises a repeated message. A message id appears in logs, so any
 * sender to the queue could use it first, and the broker would reject the real message as a
 * duplicate: the relay would count it as sent, and it would be lost. So the broker gets a MAC of
 * the id and the row's number, under a key that only the service's nodes have. It is the same at
 * each attempt, also after a redrive, so the broker does not accept a message twice. A message that
 * is resent under its own id has a row of its own, and so arrives.
 *
 * <p>The MAC is HMAC-SHA-256 over {@code 2}, the service, the logical destination, the id and the
 * row's number, separated by zero bytes, in UTF-8; it is written in Base64 for URLs, without
 * padding. A node of the version before had {@code 1} and no number: of a message that nodes of
 * both versions send, the broker accepts two. Thread-safe.
 */
final class DuplicateDetectionIds {
  private static final String VERSION = "2";

  private final String service;
  private final byte[] key;

  /**
   * @param service the owner of the tables
   * @param key the service's key
   */
  DuplicateDetectionIds(String service, byte[] key) {
    this.service = service;
    this.key = key.clone();
  }

  /** The duplicate detection id of a message. */
  String of(StoredMessage message) {
    String text =
        String.join(
            "\0",
            VERSION,
            service,
            message.destination(),
            message.envelope().id().toString(),
            Long.toString(message.seq()));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Digests.hmac(key, text.getBytes(StandardCharsets.UTF_8)));
  }
}
