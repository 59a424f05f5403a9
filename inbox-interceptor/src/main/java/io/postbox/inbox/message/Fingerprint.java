package io.postbox.inbox.message;

/**
 * What tells one body from another.
 *
 * @param version how it was made; fingerprints of different versions say nothing about each other
 * @param sha256 64 hexadecimal digits
 */
public record Fingerprint(int version, String sha256) {

  /** Whether this one shows that the content is another than that one's. */
  public boolean contradicts(Fingerprint other) {
    return version == other.version && !sha256.equals(other.sha256);
  }
}
