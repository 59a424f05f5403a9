package io.postbox.it.watch;

import io.postbox.common.PayloadCipher;
import jakarta.enterprise.context.ApplicationScoped;

/** Leaves out what its cipher texts belong to. */
@ApplicationScoped
public class LooseCipher implements PayloadCipher {
  private static final byte MASK = 0x55;

  @Override
  public Encrypted encrypt(byte[] plain, AssociatedData associated) {
    return new Encrypted(masked(plain), "loose");
  }

  @Override
  public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
    return masked(encrypted.value());
  }

  private static byte[] masked(byte[] bytes) {
    byte[] masked = bytes.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= MASK;
    }
    return masked;
  }
}
