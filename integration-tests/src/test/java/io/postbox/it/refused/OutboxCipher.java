package io.postbox.it.refused;

import io.postbox.outbox.PayloadCipher;
import jakarta.enterprise.context.ApplicationScoped;

/** Encrypts for the outbox alone. */
@ApplicationScoped
public class OutboxCipher implements PayloadCipher {
  @Override
  public Encrypted encrypt(byte[] plain, AssociatedData associated) {
    return new Encrypted(plain, "none");
  }

  @Override
  public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
    return encrypted.value();
  }
}
