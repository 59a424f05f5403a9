package io.postbox.inbox.message;

import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Makes keyed fingerprints: from a plain one a body can be found by guessing it. Version 3:
 * HMAC-SHA-256 over the plain one of version 2, as {@code <version>:<sha256>}. Another version of
 * plain fingerprints needs another version here.
 */
public final class Keying {
  /** How many bytes a key has. */
  public static final int KEY_LENGTH = 32;

  private static final int VERSION = 3;

  private Keying() {}

  /** The keyed fingerprint that is stored instead of a plain one. */
  public static Fingerprint keyed(Fingerprint plain, byte[] key) {
    String text = plain.version() + ":" + plain.sha256();
    byte[] made = Digests.hmac(key, text.getBytes(StandardCharsets.US_ASCII));
    return new Fingerprint(VERSION, HexFormat.of().formatHex(made), plain);
  }
}
