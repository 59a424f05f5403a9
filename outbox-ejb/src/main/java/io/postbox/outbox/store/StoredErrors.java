package io.postbox.outbox.store;

import io.postbox.common.PayloadCipher;
import io.postbox.common.PayloadCipher.AssociatedData;
import io.postbox.common.PayloadCipher.Encrypted;
import io.postbox.common.log.RecordedError;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterFilter.Criterion;
import io.postbox.outbox.encryption.SealedText;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Converts errors of failed attempts to the columns {@code last_error} and {@code error}, and back.
 * Encrypts them if the application has a cipher, as {@code sealed:<key id>.<cipher text>}, both in
 * Base64 for URLs, bound to destination and signature; rows from before the cipher stay unchanged.
 * Thread-safe, as the cipher is.
 *
 * @param cipher the application's cipher, if it has one
 */
public record StoredErrors(Optional<PayloadCipher> cipher) {
  /** Without a cipher. */
  public static final StoredErrors CLEAR = new StoredErrors(Optional.empty());

  /** The width of the column. */
  static final int LONGEST = 10_000;

  private static final SealedText SEALED = new SealedText("sealed:", "");

  /**
   * The text to store with failed messages to a destination; a note if it cannot be encrypted,
   * because the attempt must be counted in any case. All messages with this error may have it.
   */
  public String seal(String destination, RecordedError error) {
    return seal(of(destination, error.signature()), error.text());
  }

  /** The note in place of an error that was not encrypted. */
  public static String leftOut(String why) {
    return "left out, because it could not be encrypted: " + why;
  }

  /** The text to store of a destination's failure in the row of a node; a note as above. */
  public String sealOfNode(String node, String destination, String error) {
    return seal(ofNode(node, destination), error);
  }

  private String seal(AssociatedData bound, String error) {
    if (cipher.isEmpty()) {
      return error;
    }
    try {
      Encrypted encrypted = cipher.get().encrypt(error.getBytes(StandardCharsets.UTF_8), bound);
      String stored = SEALED.toText(encrypted);
      return stored.length() <= LONGEST
          ? stored
          : "left out, because its cipher text is too long: " + stored.length();
    } catch (Throwable failed) { // the application's; its text may be part of a key
      return leftOut(failed.getClass().getName());
    }
  }

  /** The decrypted text; a note if it cannot be decrypted. */
  public String openOrTell(String destination, String signature, String stored) {
    return openOrTell(of(destination, signature), stored);
  }

  /** The decrypted text of a destination's failure in the row of a node; a note as above. */
  public String openOfNodeOrTell(String node, String destination, String stored) {
    return openOrTell(ofNode(node, destination), stored);
  }

  private String openOrTell(AssociatedData bound, String stored) {
    if (!SEALED.isSealed(stored)) {
      return stored;
    }
    try {
      byte[] plain =
          cipher
              .orElseThrow(() -> new IllegalStateException("there is no cipher"))
              .decrypt(SEALED.fromText(stored), bound);
      return new String(plain, StandardCharsets.UTF_8);
    } catch (Throwable failed) { // the application's; its text may be part of a key
      return "encrypted, and cannot be decrypted here: " + failed.getClass().getName();
    }
  }

  /**
   * Refuses to search a text in encrypted columns: the search would silently find nothing.
   *
   * @throws IllegalArgumentException if the filter searches errors, and there is a cipher
   */
  public void requireSearchable(DeadLetterFilter filter) {
    if (cipher.isPresent() && filter.criteria().containsKey(Criterion.ERROR_CONTAINS)) {
      throw new IllegalArgumentException(
          "Errors cannot be searched for a text (%s), because the application has a PayloadCipher and they are encrypted; nothing was changed. Ask for the signature, which errors of one cause have in common: DeadLetterFilter.signature(DeadLetter.signature())."
              .formatted(filter));
    }
  }

  private static AssociatedData of(String destination, String signature) {
    return new AssociatedData(
        "outbox_failure.error destination=%s:%s signature=%s"
            .formatted(destination.length(), destination, signature));
  }

  private static AssociatedData ofNode(String node, String destination) {
    return new AssociatedData(
        "outbox_node.details node=%s:%s destination=%s:%s"
            .formatted(node.length(), node, destination.length(), destination));
  }
}
