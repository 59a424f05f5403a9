package io.postbox.inbox.startup;

import io.postbox.common.config.ConfigurationException;
import io.postbox.inbox.PayloadCipher;
import io.postbox.inbox.log.WatchLog;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The application's beans that encrypt payloads, seen before there are any: one that cannot be used
 * would else leave them in the clear, and nobody would know. Thread-safe.
 */
final class PayloadCipherCheck {
  private static final String OURS = PayloadCipher.class.getName();

  /** By name: the two modules do not know each other. */
  private static final String OF_OUTBOX = "io.postbox.outbox.PayloadCipher";

  private final Set<String> ours = Collections.synchronizedSortedSet(new TreeSet<>());
  private final Set<String> ofOutbox = Collections.synchronizedSortedSet(new TreeSet<>());

  /** Takes note of a bean of the application, in whichever of its modules. */
  void found(Bean<?> bean) {
    if (bean.getQualifiers().contains(Default.Literal.INSTANCE)) {
      bean.getTypes().stream()
          .filter(Class.class::isInstance)
          .map(type -> ((Class<?>) type).getName())
          .forEach(
              type -> {
                if (type.equals(OURS)) {
                  ours.add(bean.getBeanClass().getName());
                } else if (type.equals(OF_OUTBOX)) {
                  ofOutbox.add(bean.getBeanClass().getName());
                }
              });
    }
  }

  /**
   * Refuses what would leave payloads in the clear that somebody wants encrypted.
   *
   * @param beans the module's
   * @param isRequired whether there has to be a cipher
   * @return whether there is one
   * @throws ConfigurationException if one cannot be used, or is missing
   */
  boolean check(BeanManager beans, boolean isRequired) {
    if (isUsable(beans)) {
      return true;
    }
    SortedSet<String> hidden = new TreeSet<>(ours);
    if (!hidden.isEmpty()) {
      throw new ConfigurationException(
          "The application has a CDI bean that implements %s (%s), and the inbox's module cannot see it: payloads would be stored in the clear. Put it where the inbox is, or into an EJB module or lib/ of the EAR; or give it a qualifier, if it is for something else."
              .formatted(OURS, String.join(", ", hidden)));
    }
    String others = String.join(", ", new TreeSet<>(ofOutbox));
    if (isRequired) {
      throw new ConfigurationException(
          "postbox.encryption=required, and the inbox's module sees no CDI bean that implements %s%s. Deploy one in an EJB module or lib/ of the EAR, or in the WAR that holds the inbox; or leave the key at optional, and payloads are stored in the clear."
              .formatted(
                  OURS,
                  others.isEmpty()
                      ? ""
                      : " (" + others + " implements only that of the outbox, " + OF_OUTBOX + ")"));
    }
    if (!others.isEmpty()) {
      WatchLog.onlyTheOutboxEncrypts(others);
    }
    return false;
  }

  private static boolean isUsable(BeanManager beans) {
    try {
      return beans.resolve(beans.getBeans(PayloadCipher.class)) != null;
    } catch (AmbiguousResolutionException several) {
      throw new ConfigurationException(
          "There are several CDI beans that implement %s, and the inbox takes one (%s). Make the others @Alternative, or give them a qualifier."
              .formatted(OURS, several.getMessage()));
    }
  }
}
