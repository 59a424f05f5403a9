package io.postbox.inbox;

/**
 * Encrypts what the inbox stores of payloads, and what may tell of them: the bodies of parked and
 * quarantined messages, what handlers say in their exceptions (the reason of a failure, the error
 * of a parked message), and what they leave for a redelivery (their replies and the results of
 * outside effects). Where the application has a CDI bean of this type, which the inbox's module can
 * see, all that is encrypted when it is written, and decrypted when a person looks at it, has a
 * message sent again, or a redelivery needs it; the broker gets a body in the clear. Headers and
 * properties of a message, and the signature of an error, are stored as they are; the log has
 * errors in the clear. Rows from before the cipher stay as they are.
 *
 * <p>To rotate keys, encrypt under the new key's id from now on, and go on decrypting under the old
 * one until no row has it: rows keep the key they were written with.
 *
 * <p>Called by several threads at once: on that of a delivery, in its transaction; on one of the
 * inbox's own, for the reasons of failures; and on that of whoever called {@link ParkedMessages} or
 * {@link QuarantinedMessages}, once for each message of a page. There is no request, so a bean of
 * the application's or the dependent scope does. Neither method should take long.
 */
public interface PayloadCipher {
  /**
   * A body as it is stored.
   *
   * @param value the cipher text, with all that decrypting takes except the key
   * @param keyId which key decrypts it: 1 to 100 characters, in the clear in the table and in
   *     reasons
   */
  @SuppressWarnings("ArrayRecordComponent") // a payload may be large, so it is not copied
  record Encrypted(byte[] value, String keyId) {}

  /**
   * Encrypts with the key of the day.
   *
   * @param plain the body, the error or the result; UTF-8, if it is text
   * @param messageId to be bound to the cipher text as associated data, so that nobody can move a
   *     body from one row to another; empty for a quarantined message without a usable id
   * @throws Exception if it cannot; the delivery is then rolled back and comes again, but the
   *     failure of a handler counts, without its reason
   */
  Encrypted encrypt(byte[] plain, String messageId) throws Exception;

  /**
   * Decrypts with the key that the body names.
   *
   * @throws Exception if it cannot, for instance because this node does not know the key; the
   *     message then stays where it is; a delivery that needs the result is rolled back
   */
  byte[] decrypt(Encrypted encrypted, String messageId) throws Exception;
}
