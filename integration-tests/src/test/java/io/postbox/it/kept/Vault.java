package io.postbox.it.kept;

import io.postbox.inbox.PayloadCipher;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES-GCM with associated data, for both modules. */
@ApplicationScoped
public class Vault implements PayloadCipher, io.postbox.outbox.PayloadCipher {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final SecretKey key = new SecretKeySpec(new byte[32], "AES");
  private final SecureRandom random = new SecureRandom();

  @Override
  public PayloadCipher.Encrypted encrypt(byte[] plain, PayloadCipher.AssociatedData associated)
      throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, associated.bytes()).doFinal(plain);
    return new PayloadCipher.Encrypted(
        ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array(), "2026-11");
  }

  @Override
  public byte[] decrypt(PayloadCipher.Encrypted encrypted, PayloadCipher.AssociatedData associated)
      throws GeneralSecurityException {
    ByteBuffer value = ByteBuffer.wrap(encrypted.value());
    byte[] nonce = new byte[NONCE];
    value.get(nonce);
    byte[] sealed = new byte[value.remaining()];
    value.get(sealed);
    return cipher(Cipher.DECRYPT_MODE, nonce, associated.bytes()).doFinal(sealed);
  }

  @Override
  public io.postbox.outbox.PayloadCipher.Encrypted encrypt(
      byte[] plain, io.postbox.outbox.PayloadCipher.AssociatedData associated)
      throws GeneralSecurityException {
    PayloadCipher.Encrypted made =
        encrypt(plain, new PayloadCipher.AssociatedData(associated.text()));
    return new io.postbox.outbox.PayloadCipher.Encrypted(made.value(), made.keyId());
  }

  @Override
  public byte[] decrypt(
      io.postbox.outbox.PayloadCipher.Encrypted encrypted,
      io.postbox.outbox.PayloadCipher.AssociatedData associated)
      throws GeneralSecurityException {
    return decrypt(
        new PayloadCipher.Encrypted(encrypted.value(), encrypted.keyId()),
        new PayloadCipher.AssociatedData(associated.text()));
  }

  private Cipher cipher(int mode, byte[] nonce, byte[] associated) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(associated);
    return cipher;
  }
}
