package io.postbox.inbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.log.MachineErrors;
import io.postbox.common.log.Throttle;
import io.postbox.inbox.InboxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Encrypts and decrypts with the application's cipher, if it has one, and applies the rules for
 * plaintext. Thread-safe.
 */
final class Ciphers {
  private final Supplier<Optional<PayloadCipher>> cipher;
  private final boolean isRequired;
  private final Throttle lines;
  private final LongConsumer log;

  /**
   * @param cipher is called each time, because the application's beans start later than the inbox
   * @param isRequired whether plaintext is forbidden
   * @param nanos a monotonic clock in nanoseconds
   * @param log receives the number of plaintext rows that were read although there is a cipher, at
   *     most once a minute
   */
  Ciphers(
      Supplier<Optional<PayloadCipher>> cipher,
      boolean isRequired,
      LongSupplier nanos,
      LongConsumer log) {
    this.cipher = cipher;
    this.isRequired = isRequired;
    lines = new Throttle(nanos);
    this.log = log;
  }

  boolean areThere() {
    return cipher.get().isPresent();
  }

  /** Whether plaintext is written; false also where that is not known yet. */
  boolean writePlain() {
    try {
      return toSeal().isEmpty();
    } catch (InboxException unknown) { // whoever encrypts tells
      return false;
    }
  }

  /**
   * The cipher for writing; empty if plaintext is written.
   *
   * @throws InboxException if encryption is required and there is no cipher
   */
  Optional<PayloadCipher> toSeal() {
    Optional<PayloadCipher> found = cipher.get();
    if (found.isEmpty() && isRequired) {
      throw missing("postbox.encryption=required forbids writing plaintext");
    }
    return found;
  }

  /**
   * Decrypts a packed cipher text.
   *
   * @param what names the text, as the subject of a sentence
   * @throws InboxException if it cannot be decrypted
   */
  byte[] open(String what, byte[] packed, AssociatedData associated) {
    PayloadCipher with;
    try {
      with = cipher.get().orElseThrow(() -> missing("it is encrypted"));
    } catch (InboxException missing) {
      throw unreadable(what, missing, " Deploy the cipher.");
    }
    try {
      return with.decrypt(KeptContents.unpacked(packed), associated);
    } catch (Throwable refused) { // the application's; its text may contain part of a key
      MachineErrors.rethrow(refused);
      throw new InboxException(
          "%s cannot be decrypted (%s): this node does not know the key, or the row was changed or moved. The row stays unchanged."
              .formatted(what, refused.getClass().getName()),
          refused);
    }
  }

  /** Decrypts a text whose packed cipher text is in Base64. */
  String openText(String what, String packed, AssociatedData associated) {
    byte[] octets;
    try {
      octets = Base64.getDecoder().decode(packed);
    } catch (IllegalArgumentException damaged) {
      octets = new byte[0]; // the cipher will refuse it
    }
    return new String(open(what, octets, associated), StandardCharsets.UTF_8);
  }

  /**
   * Notes that a plaintext row is about to be read.
   *
   * @param what names the row, as the subject of a sentence
   * @throws InboxException if encryption is required
   */
  void foundPlain(String what) {
    if (isRequired) {
      throw unreadable(
          what,
          new InboxException(
              "it is not encrypted, and postbox.encryption=required forbids reading plaintext",
              null),
          "");
    }
    if (areThere()) {
      lines.tell(log);
    }
  }

  private static InboxException unreadable(String what, InboxException cause, String remedy) {
    return new InboxException(
        "%s cannot be read: %s. The row stays unchanged.%s"
            .formatted(what, cause.getMessage(), remedy),
        cause);
  }

  private static InboxException missing(String why) {
    return new InboxException(
        why + ", and the application has no PayloadCipher that the inbox's module can see", null);
  }
}
