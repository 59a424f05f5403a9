package io.postbox.outbox.server;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.PayloadCipher;
import io.postbox.outbox.PayloadLoader;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;

/** The application's own beans that deal with payloads, where it has some. */
@ApplicationScoped
class PayloadBeans {
  @Inject Instance<PayloadLoader> loaders;
  @Inject Instance<PayloadCipher> ciphers;

  /** Loads references. */
  Optional<PayloadLoader> loader() {
    return only(loaders, PayloadLoader.class);
  }

  /** Encrypts what is stored. */
  Optional<PayloadCipher> cipher() {
    return only(ciphers, PayloadCipher.class);
  }

  private static <T> Optional<T> only(Instance<T> beans, Class<T> type) {
    if (beans.isAmbiguous()) {
      throw new OutboxException(
          "There are several CDI beans that implement "
              + type.getName()
              + ", and the outbox takes one; nothing was written. Make the others @Alternative, or"
              + " give them a qualifier.",
          null);
    }
    return beans.isUnsatisfied() ? Optional.empty() : Optional.of(beans.get());
  }
}
