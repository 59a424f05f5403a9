package io.postbox.it.refused;

import io.postbox.common.PayloadCipher;
import jakarta.enterprise.context.ApplicationScoped;

/** In a WAR that neither of the modules can see into. */
@ApplicationScoped
public class HiddenCipher implements PayloadCipher {
  @Override
  public Encrypted encrypt(byte[] plain, AssociatedData associated) {
    return new Encrypted(plain, "none");
  }

  @Override
  public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
    return encrypted.value();
  }
}
