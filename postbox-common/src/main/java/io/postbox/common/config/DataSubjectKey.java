package io.postbox.common.config;

import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Makes the digests that stand for persons in tables and messages: the first 16 bytes of the
 * HMAC-SHA-256, in Base64 for URLs. Services with the same secret make the same. Immutable and
 * thread-safe.
 */
public final class DataSubjectKey {
  /** The least length of the secret, in characters. */
  public static final int SHORTEST_SECRET = 32;

  /** The greatest length of an application's key for a person, in characters. */
  public static final int LONGEST_KEY = 200;

  private static final String PURPOSE = "data subject 1\0";
  private static final int LENGTH = 16;

  private final byte[] secret;

  /**
   * @param secret from {@code postbox.data-subject-secret}
   */
  public DataSubjectKey(String secret) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /** The digest of what the application calls a person: 22 characters. */
  public String digest(String key) {
    byte[] mac = Digests.hmac(secret, (PURPOSE + key).getBytes(StandardCharsets.UTF_8));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(mac, LENGTH));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "DataSubjectKey";
  }
}
