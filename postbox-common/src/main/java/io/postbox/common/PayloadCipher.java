package io.postbox.common;

import java.nio.charset.StandardCharsets;

/**
 * Encrypts the contents of messages that outbox and inbox store. If the application has a CDI bean
 * of this type that a module can see, the module encrypts with it:
 *
 * <ul>
 *   <li>the outbox every text, JSON text and octets, and of every message the properties, the
 *       correlation id, the reply-to and the trace state, when they are enqueued, and the errors of
 *       failed attempts. It decrypts right before it sends; the broker gets messages in the clear.
 *       A payload from a {@code PayloadLoader} is not stored, and so not encrypted.
 *   <li>the inbox bodies and properties of parked, quarantined and captured messages, the reasons
 *       of failures, and handlers' results for a redelivery (replies and the results of outside
 *       effects). It decrypts when a captured message is handled, an operator reads or redrives a
 *       message, or a redelivery needs a result. Fingerprints are then keyed, with a key that the
 *       cipher encrypts too, so that no one can find a body by guessing it.
 * </ul>
 *
 * All other columns are in the clear; {@code docs/security.md} lists them.
 *
 * <p>A bean that a module cannot see, or several of them, refuses the deployment. With {@code
 * postbox.encryption=required} so does its absence, or one that ignores associated data, and rows
 * in the clear are neither sent nor read; by default they are, and the log says so.
 *
 * <p>To rotate keys, encrypt under the new key's id from now on, and go on decrypting under the old
 * one until no row has it: rows keep the key they were written with. Every node needs the new key
 * before any node encrypts with it. The key of the fingerprints ({@code inbox_secret}) changes over
 * at the next start.
 *
 * <p>Called by several threads at once: in the transaction of an enqueuing caller, of a delivery or
 * of the relay, or in none; at start; and for each message of a page that an operator reads. There
 * is no request, so use the application scope or the dependent scope. Neither method should take
 * long.
 */
public interface PayloadCipher {
  /**
   * Something as it is stored.
   *
   * @param value the cipher text, with all that decrypting takes except the key
   * @param keyId which key decrypts it: 1 to 100 characters, in the clear in the table, in logs and
   *     in reasons
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is not copied
  record Encrypted(byte[] value, String keyId) {}

  /**
   * The row and column of a cipher text. An authenticating cipher (AES-GCM, for instance) takes it
   * as associated data, and then decrypts nothing that was moved to another row or column, or whose
   * row was changed. It is not stored: it is derived from the row.
   *
   * @param text one line, no secret: the column, and of the row what tells it from others; of a
   *     payload in the outbox also its destination, ordering key, aggregate, event type, schema
   *     version and content type; of a body that the inbox keeps also its type and its fingerprint
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
   * @param plain a payload, properties, an error or a result; UTF-8, if it is text
   * @param associated to be bound to the cipher text
   * @throws Exception if it cannot. A message that is being enqueued is then refused and nothing is
   *     written; a delivery is rolled back and redelivered; an error or the reason of a failure is
   *     left out
   */
  Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception;

  /**
   * Decrypts with the key that the cipher text names.
   *
   * @param associated the data with which it must have been encrypted
   * @throws Exception if it cannot, for instance because this node does not know the key yet, or
   *     because it belongs to something else. In the outbox a message with a key that has decrypted
   *     nothing on this node, and that {@link #encrypt} does not use now, waits uncounted for a
   *     node that knows the key; with any other key that counts as an attempt of the message, which
   *     is retried with backoff and in the end becomes a dead letter. A message that the inbox
   *     keeps stays there, and a delivery that needs a result is rolled back
   */
  byte[] decrypt(Encrypted encrypted, AssociatedData associated) throws Exception;
}
