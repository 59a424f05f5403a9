package io.postbox.outbox;

import java.nio.charset.StandardCharsets;

/**
 * Encrypts what the outbox stores of payloads. Where the application has a CDI bean of this type,
 * which the outbox's module can see, every text, JSON text and octets, and of every message the
 * properties, the correlation id, the reply-to and the trace state are encrypted when they are
 * enqueued and decrypted right before they are sent: the broker gets them in the clear. The error
 * of a failed attempt is encrypted too, and decrypted when a person looks at a dead letter. What a
 * {@link PayloadLoader} loads is not stored, and so not encrypted. All other columns are in the
 * clear; {@code docs/security.md} lists them.
 *
 * <p>A bean that the module cannot see, or several of them, refuses the deployment. With {@code
 * postbox.encryption=required} so does its absence, and rows that are not encrypted are not sent.
 *
 * <p>To rotate keys, encrypt under the new key's id from now on, and go on decrypting under the old
 * one until no row has it: rows keep the key they were written with. Every node that relays needs
 * the new key before any node encrypts with it.
 *
 * <p>Called by several threads at once, twice for each message. {@link #encrypt} runs in the
 * caller's transaction, and for errors in the relay's, {@link #decrypt} without a transaction and
 * without a request, so a bean of the application's or the dependent scope does; neither should
 * take long. One class can implement the inbox's interface of the same name as well.
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
   * What a cipher text belongs to. An authenticating cipher (AES-GCM, for instance) takes it as
   * associated data, and then decrypts nothing that somebody has moved to another row or column, or
   * whose row somebody has changed. It is not stored: it is made from the row again.
   *
   * @param text one line, no secret: the column, and the message's id, destination, ordering key,
   *     aggregate, event type, schema version and content type; of an error its row
   */
  record AssociatedData(String text) {
    /** The text in UTF-8. */
    public byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * Encrypts with the key of the day.
   *
   * @param plain UTF-8, if it is text
   * @param associated to be bound to the cipher text
   * @throws Exception if it cannot; the message is then refused and nothing is written; an error is
   *     left out
   */
  Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception;

  /**
   * Decrypts with the key that the payload names.
   *
   * @param associated what it has to have been encrypted with
   * @throws Exception if it cannot, for instance because this node does not know the key yet, or
   *     because it belongs to something else; that counts as an attempt of the message, which is
   *     tried again with backoff and in the end becomes a dead letter
   */
  byte[] decrypt(Encrypted encrypted, AssociatedData associated) throws Exception;
}
