package io.postbox.inbox.startup;

import io.postbox.common.PayloadCipher;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.jta.SuspendedTransaction;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.util.Optional;

/** The application's cipher, if it has one. */
@ApplicationScoped
class PayloadCipherBean {
  @Inject Instance<PayloadCipher> ciphers;
  @Inject InboxDatabase database;
  @Inject SuspendedTransaction suspended;

  /**
   * Checks the cipher before the guarantee check and the first delivery; fails the start if it
   * would accept swapped payloads.
   */
  void startUp(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) Startup event) {
    database.encryptWith(this::only);
    if (database.lacksFingerprintKey()) {
      suspended.run(this::prepare);
    }
    database
        .cipherRefusal()
        .ifPresent(
            refusal -> {
              throw new InboxException(refusal, null);
            });
  }

  private void prepare() {
    try {
      database.prepare();
    } catch (SchemaException unusable) { // already logged; deliveries fail with it too
      return;
    }
  }

  private Optional<PayloadCipher> only() {
    if (ciphers.isAmbiguous()) {
      throw new InboxException(
          "There are several CDI beans that implement "
              + PayloadCipher.class.getName()
              + ", and the inbox uses one; nothing was written. Make the others @Alternative, or"
              + " give them a qualifier.",
          null);
    }
    return ciphers.isUnsatisfied() ? Optional.empty() : Optional.of(ciphers.get());
  }
}
