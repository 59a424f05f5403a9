package io.postbox.inbox.interceptor;

import io.postbox.common.store.SchemaException;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.PayloadCipher;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;

/** The application's own cipher, where it has one. */
@ApplicationScoped
class PayloadCipherBean {
  @Inject Instance<PayloadCipher> ciphers;
  @Inject InboxExtension extension;
  @Inject SuspendedTransaction outsideTransaction;

  /** Before the first delivery. */
  void startUp(@Observes Startup event) {
    InboxDatabase installation = extension.deployment().installation();
    installation.encryptWith(this::only);
    if (installation.lacksFingerprintKey()) {
      outsideTransaction.run(() -> prepare(installation));
    }
  }

  private static void prepare(InboxDatabase installation) {
    try {
      installation.prepare();
    } catch (
        SchemaException unusable) { // which has its line in the log, and deliveries meet as well
      return;
    }
  }

  private Optional<PayloadCipher> only() {
    if (ciphers.isAmbiguous()) {
      throw new InboxException(
          "There are several CDI beans that implement "
              + PayloadCipher.class.getName()
              + ", and the inbox takes one; nothing was written. Make the others @Alternative, or"
              + " give them a qualifier.",
          null);
    }
    return ciphers.isUnsatisfied() ? Optional.empty() : Optional.of(ciphers.get());
  }
}
