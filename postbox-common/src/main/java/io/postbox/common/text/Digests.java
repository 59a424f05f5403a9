package io.postbox.common.text;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256 and HMAC-SHA-256, which every Java platform has. */
public final class Digests {
  private static final String HMAC = "HmacSHA256";

  private Digests() {}

  /** A new SHA-256, to be used by one thread. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The HMAC-SHA-256 of a text's bytes. */
  public static byte[] hmac(byte[] key, byte[] text) {
    return hmac(key, ByteBuffer.wrap(text));
  }

  /** The HMAC-SHA-256 of a text's bytes. */
  public static byte[] hmac(byte[] key, ByteBuffer text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      mac.update(text);
      return mac.doFinal();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
