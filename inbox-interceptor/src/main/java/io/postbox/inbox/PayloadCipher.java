package io.postbox.inbox;

import java.nio.charset.StandardCharsets;

/**
 * Encrypts what the inbox stores of payloads, and what may tell of them: the bodies, headers and
 * properties of parked and quarantined messages, what handlers say in their exceptions (the reason
 * of a failure, the error of a parked message), and what they leave for a redelivery (their replies
 * and the results of outside effects). Where the application has a CDI bean of this type, which the
 * inbox's module can see, all that is encrypted when it is written, and decrypted when a person
 * looks at it, has a message sent again, or a redelivery needs it; the broker gets a message in the
 * clear. Fingerprints are made with a key then, which the cipher encrypts too, so that nobody finds
 * a body by guessing it. All other columns are in the clear; {@code docs/security.md} lists them.
 *
 * <p>A bean that the module cannot see, or several of them, refuses the deployment. With {@code
 * postbox.encryption=required} so does its absence, and rows from before the cipher are not read;
 * by default they are, and the log tells.
 *
 * <p>To rotate keys, encrypt under the new key's id from now on, and go on decrypting under the old
 * one until no row has it: rows keep the key they were written with. The key of the fingerprints
 * ({@code inbox_secret}) changes over at the next start.
 *
 * <p>Called by several threads at once: on that of a delivery, in its transaction; on one of the
 * inbox's own, for the reasons of failures; at start; and on that of whoever called {@link
 * ParkedMessages} or {@link QuarantinedMessages}, for each message of a page. There is no request,
 * so a bean of the application's or the dependent scope does. Neither method should take long. One
 * class can implement the outbox's interface of the same name as well.
 */
public interface PayloadCipher {
  /**
   * Something as it is stored.
   *
   * @param value the cipher text, with all that decrypting takes except the key
   * @param keyId which key decrypts it: 1 to 100 characters, in the clear in the table and in
   *     reasons
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is not copied
  record Encrypted(byte[] value, String keyId) {}

  /**
   * What a cipher text belongs to. An authenticating cipher (AES-GCM, for instance) takes it as
   * associated data, and then decrypts nothing that somebody has moved to another row or column. It
   * is not stored: it is made from the row again.
   *
   * @param text one line, no secret: the table and column, and of the row what tells it from others
   *     (consumer and message id; of a body also its type and its fingerprint)
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
   * @param plain the body, the properties, the error or the result; UTF-8, if it is text
   * @param associated to be bound to the cipher text
   * @throws Exception if it cannot; the delivery is then rolled back and redelivered, but the
   *     failure of a handler counts, without its reason
   */
  Encrypted encrypt(byte[] plain, AssociatedData associated) throws Exception;

  /**
   * Decrypts with the key that the cipher text names.
   *
   * @param associated what it has to have been encrypted with
   * @throws Exception if it cannot, for instance because this node does not know the key, or
   *     because it belongs to something else; a message then stays where it is; a delivery that
   *     needs the result is rolled back
   */
  byte[] decrypt(Encrypted encrypted, AssociatedData associated) throws Exception;
}
