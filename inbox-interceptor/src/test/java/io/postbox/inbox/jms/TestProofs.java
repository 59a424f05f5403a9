package io.postbox.inbox.jms;

import java.util.Arrays;

/** Proofs of a service with a key that every test knows. */
public final class TestProofs {
  /** Those of the service that is under test. */
  public static final Proofs PROOFS = of("shop", 7);

  private TestProofs() {}

  /** Those of a service whose key consists of one byte, over and over. */
  static Proofs of(String service, int keyByte) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) keyByte);
    return new Proofs(service, () -> key);
  }
}
