package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * A digest that distinguishes bodies.
 *
 * @param version how it was made; fingerprints of different versions say nothing about each other
 * @param sha256 64 hexadecimal digits
 * @param plain what a keyed one of a delivery was made from, for rows from before the key
 */
public record Fingerprint(int version, String sha256, @Nullable Fingerprint plain) {

  /** One that was read, or was made without a key. */
  public Fingerprint(int version, String sha256) {
    this(version, sha256, null);
  }

  /** Whether this one, of a delivery, shows that the content is another than that one's. */
  public boolean contradicts(Fingerprint stored) {
    if (version == stored.version) {
      return !sha256.equals(stored.sha256);
    }
    return plain != null && plain.contradicts(stored);
  }

  /** Without the plain one, which must not be stored. */
  @Override
  public String toString() {
    return version + ":" + sha256;
  }
}
