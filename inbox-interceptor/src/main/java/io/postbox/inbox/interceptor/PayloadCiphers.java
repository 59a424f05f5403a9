package io.postbox.inbox.interceptor;

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
class PayloadCiphers {
  @Inject Instance<PayloadCipher> ciphers;
  @Inject InboxExtension extension;

  /** Before the first delivery. */
  void startUp(@Observes Startup event) {
    extension.installation().encryptWith(this::only);
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
