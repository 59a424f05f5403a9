package io.postbox.inbox.message;

import io.postbox.common.text.Digests;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Makes keyed fingerprints, because a plain one lets a reader find a body by guessing it. Version 3
 * is HMAC-SHA-256 over the plain fingerprint of version 2, as {@code <version>:<sha256>}. A new
 * version of plain fingerprints needs a new version here.
 */
public final class Keying {
  /** The length of a key in bytes. */
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
