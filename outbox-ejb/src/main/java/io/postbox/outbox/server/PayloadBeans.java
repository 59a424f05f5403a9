package io.postbox.outbox.server;

import io.postbox.common.PayloadCipher;
import io.postbox.common.check.CipherTrial;
import io.postbox.common.check.Finding;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.PayloadLoader;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/** The application's beans that load or encrypt payloads, if it has any. */
@ApplicationScoped
class PayloadBeans {
  @Inject Instance<PayloadLoader> loaders;
  @Inject Instance<PayloadCipher> ciphers;
  @Inject OutboxDatabase database;

  private final CipherTrial trial = new CipherTrial();

  /** Fails the start if the cipher would accept swapped payloads although they must not be. */
  void startUp(@Observes Startup event) {
    cipher();
  }

  /** Loads references. */
  Optional<PayloadLoader> loader() {
    return only(loaders, PayloadLoader.class);
  }

  /**
   * The cipher for stored payloads.
   *
   * @throws OutboxException if one is required and is missing, or ignores associated data
   */
  Optional<PayloadCipher> cipher() {
    Optional<PayloadCipher> found = only(ciphers, PayloadCipher.class);
    if (!database.config().confidentiality().encryptionRequired()) {
      return found;
    }
    if (found.isEmpty()) {
      throw new OutboxException(
          "postbox.encryption=required, and the outbox's module sees no CDI bean that implements "
              + PayloadCipher.class.getName()
              + "; nothing was written or sent.",
          null);
    }
    trial
        .refusal(found.get())
        .ifPresent(
            refusal -> {
              throw new OutboxException(refusal + " Nothing was written or sent.", null);
            });
    return found;
  }

  /** The guarantee check's findings about the cipher. */
  List<Finding> cipherFindings() {
    return trial.findings(only(ciphers, PayloadCipher.class));
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
