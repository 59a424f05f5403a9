package io.postbox.inbox;

/**
 * Encrypts what the inbox stores of payloads: the bodies of parked and quarantined messages. Where
 * the application has a CDI bean of this type, which the inbox's module can see, a body is
 * encrypted when it is kept aside, and decrypted when a person looks at it or has it sent again;
 * the broker gets it in the clear. Headers and properties of a message are stored as they are.
 *
 * <p>To rotate keys, encrypt under the new key's id from now on, and go on decrypting under the old
 * one until no row has it: rows keep the key they were written with.
 *
 * <p>Called by several threads at once. {@link #encrypt} runs in the transaction of the delivery
 * that is kept aside, {@link #decrypt} on the thread of whoever called {@link ParkedMessages} or
 * {@link QuarantinedMessages}; both without a request, so a bean of the application's or the
 * dependent scope does; neither should take long.
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
   * @param plain the body; UTF-8, if it is text
   * @param messageId to be bound to the cipher text as associated data, so that nobody can move a
   *     body from one row to another; empty for a quarantined message without a usable id
   * @throws Exception if it cannot; the delivery is then rolled back and comes again
   */
  Encrypted encrypt(byte[] plain, String messageId) throws Exception;

  /**
   * Decrypts with the key that the body names.
   *
   * @throws Exception if it cannot, for instance because this node does not know the key; the
   *     message then stays where it is
   */
  byte[] decrypt(Encrypted encrypted, String messageId) throws Exception;
}
