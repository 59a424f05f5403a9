package io.postbox.outbox;

import java.util.UUID;

/**
 * Encrypts what the outbox stores of payloads. Where the application has a CDI bean of this type,
 * which the outbox's module can see, every text, JSON text and octets are encrypted when they are
 * enqueued and decrypted right before they are sent: the broker gets them in the clear. What a
 * {@link PayloadLoader} loads is not stored, and so not encrypted.
 *
 * <p>To rotate keys, encrypt under the new key's id from now on, and go on decrypting under the old
 * one until no row has it: rows keep the key they were written with. Every node that relays needs
 * the new key before any node encrypts with it.
 *
 * <p>Called by several threads at once. {@link #encrypt} runs in the caller's transaction, {@link
 * #decrypt} without a transaction and without a request, so a bean of the application's or the
 * dependent scope does; neither should take long.
 */
public interface PayloadCipher {
  /**
   * A payload as it is stored.
   *
   * @param value the cipher text, with all that decrypting takes except the key
   * @param keyId which key decrypts it: 1 to 100 characters, in the clear in the table, in logs and
   *     in reasons
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is not copied
  record Encrypted(byte[] value, String keyId) {}

  /**
   * Encrypts with the key of the day.
   *
   * @param plain UTF-8, if the payload is text
   * @param messageId to be bound to the cipher text as associated data, so that nobody can move a
   *     payload from one row to another
   * @throws Exception if it cannot; the message is then refused and nothing is written
   */
  Encrypted encrypt(byte[] plain, UUID messageId) throws Exception;

  /**
   * Decrypts with the key that the payload names.
   *
   * @throws Exception if it cannot, for instance because this node does not know the key yet; that
   *     counts as an attempt of the message, which is tried again with backoff and in the end
   *     becomes a dead letter
   */
  byte[] decrypt(Encrypted encrypted, UUID messageId) throws Exception;
}
