package io.postbox.common.testing;

import io.postbox.common.PayloadCipher;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** AES-GCM with keys in memory, with associated data. Thread-safe. */
public final class SampleCipher implements PayloadCipher {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final Map<String, SecretKey> keys = new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();
  private volatile String current;

  /** With one key. */
  public SampleCipher(String key) {
    current = key;
    rotateTo(key);
  }

  /** Encrypts with a new key from now on. */
  public void rotateTo(String key) {
    try {
      keys.put(key, KeyGenerator.getInstance("AES").generateKey());
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
    current = key;
  }

  /** Knows another one's keys. */
  public void learnFrom(SampleCipher other) {
    keys.putAll(other.keys);
  }

  @Override
  public Encrypted encrypt(byte[] plain, AssociatedData associated)
      throws GeneralSecurityException {
    String keyId = current;
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keyId, nonce, associated).doFinal(plain);
    byte[] value = ByteBuffer.allocate(NONCE + sealed.length).put(nonce).put(sealed).array();
    return new Encrypted(value, keyId);
  }

  @Override
  public byte[] decrypt(Encrypted encrypted, AssociatedData associated)
      throws GeneralSecurityException {
    ByteBuffer value = ByteBuffer.wrap(encrypted.value());
    byte[] nonce = new byte[NONCE];
    value.get(nonce);
    byte[] sealed = new byte[value.remaining()];
    value.get(sealed);
    return cipher(Cipher.DECRYPT_MODE, encrypted.keyId(), nonce, associated).doFinal(sealed);
  }

  private Cipher cipher(int mode, String keyId, byte[] nonce, AssociatedData associated)
      throws GeneralSecurityException {
    SecretKey key = keys.get(keyId);
    if (key == null) {
      throw new GeneralSecurityException("no such key: " + keyId);
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(associated.bytes());
    return cipher;
  }
}
