package io.postbox.it.refused;

import jakarta.enterprise.context.ApplicationScoped;

/** Encrypts for both modules, in a WAR that neither of them can see into. */
@ApplicationScoped
public class HiddenCipher
    implements io.postbox.outbox.PayloadCipher, io.postbox.inbox.PayloadCipher {
  @Override
  public io.postbox.outbox.PayloadCipher.Encrypted encrypt(
      byte[] plain, io.postbox.outbox.PayloadCipher.AssociatedData associated) {
    return new io.postbox.outbox.PayloadCipher.Encrypted(plain, "none");
  }

  @Override
  public byte[] decrypt(
      io.postbox.outbox.PayloadCipher.Encrypted encrypted,
      io.postbox.outbox.PayloadCipher.AssociatedData associated) {
    return encrypted.value();
  }

  @Override
  public io.postbox.inbox.PayloadCipher.Encrypted encrypt(
      byte[] plain, io.postbox.inbox.PayloadCipher.AssociatedData associated) {
    return new io.postbox.inbox.PayloadCipher.Encrypted(plain, "none");
  }

  @Override
  public byte[] decrypt(
      io.postbox.inbox.PayloadCipher.Encrypted encrypted,
      io.postbox.inbox.PayloadCipher.AssociatedData associated) {
    return encrypted.value();
  }
}
