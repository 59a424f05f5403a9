package io.postbox.it.kept;

import io.postbox.common.PayloadCipher;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-GCM with associated data. */
@ApplicationScoped
public class Vault implements PayloadCipher {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final SecretKey key = new SecretKeySpec(new byte[32], "AES");
  private final SecureRandom random = new SecureRandom();

  @Override
  public Encrypted encrypt(byte[] plain, AssociatedData associated)
      throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, associated).doFinal(plain);
    return new Encrypted(
        ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array(), "2026-11");
  }

  @Override
  public byte[] decrypt(Encrypted encrypted, AssociatedData associated)
      throws GeneralSecurityException {
    ByteBuffer value = ByteBuffer.wrap(encrypted.value());
    byte[] nonce = new byte[NONCE];
    value.get(nonce);
    byte[] sealed = new byte[value.remaining()];
    value.get(sealed);
    return cipher(Cipher.DECRYPT_MODE, nonce, associated).doFinal(sealed);
  }

  private Cipher cipher(int mode, byte[] nonce, AssociatedData associated)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(associated.bytes());
    return cipher;
  }
}
