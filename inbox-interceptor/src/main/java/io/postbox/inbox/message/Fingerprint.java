package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * A digest of a body, which tells bodies apart.
 *
 * @param version the method that made it; fingerprints of different versions cannot be compared
 * @param sha256 64 hexadecimal digits
 * @param plain the plain fingerprint from which a delivery's keyed one was made, to compare with
 *     rows from before the key
 */
public record Fingerprint(int version, String sha256, @Nullable Fingerprint plain) {

  /** A fingerprint from a row, or one made without a key. */
  public Fingerprint(int version, String sha256) {
    this(version, sha256, null);
  }

  /**
   * Whether this fingerprint of a delivery shows that its content differs from that of the stored
   * one.
   */
  public boolean contradicts(Fingerprint stored) {
    if (version == stored.version) {
      return !sha256.equals(stored.sha256);
    }
    return plain != null && plain.contradicts(stored);
  }

  /** Leaves out the plain fingerprint, which must not be stored. */
  @Override
  public String toString() {
    return version + ":" + sha256;
  }
}
