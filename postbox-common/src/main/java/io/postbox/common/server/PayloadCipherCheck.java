package io.postbox.common.server;

import io.postbox.common.PayloadCipher;
import io.postbox.common.check.CipherTrial;
import io.postbox.common.config.ConfigurationException;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the application's {@code PayloadCipher} beans at deployment. A bean that the module cannot
 * see would leave payloads in the clear without notice, so it refuses the deployment. Thread-safe.
 */
public final class PayloadCipherCheck {
  private static final String CIPHER = PayloadCipher.class.getName();

  private final String module;
  private final Set<String> found = Collections.synchronizedSortedSet(new TreeSet<>());

  /**
   * @param module outbox or inbox
   */
  public PayloadCipherCheck(String module) {
    this.module = module;
  }

  /** Notes a bean of any module of the application. */
  public void found(Bean<?> bean) {
    if (bean.getQualifiers().contains(Default.Literal.INSTANCE)
        && bean.getTypes().stream() // by name: a WAR may have its own copy of the type
            .anyMatch(type -> type instanceof Class<?> it && it.getName().equals(CIPHER))) {
      found.add(bean.getBeanClass().getName());
    }
  }

  /**
   * Refuses a configuration that would store payloads in the clear although the application has a
   * cipher or requires one.
   *
   * @param beans the module's
   * @param isRequired whether there has to be a cipher, and one that binds associated data
   * @return whether there is one
   * @throws ConfigurationException if one cannot be used, or is missing
   */
  public boolean check(BeanManager beans, boolean isRequired) {
    Bean<?> cipher = cipher(beans);
    if (cipher != null) {
      if (isRequired) {
        refuseIfItIgnoresAssociatedData(cipher, beans);
      }
      return true;
    }
    if (!found.isEmpty()) {
      throw new ConfigurationException(
          "The application has a CDI bean that implements %1$s (%2$s), and the %3$s's module cannot see it: payloads would be stored in the clear. Put it where the %3$s is, or into an EJB module or lib/ of the EAR; or give it a qualifier, if it is for something else."
              .formatted(CIPHER, String.join(", ", new TreeSet<>(found)), module));
    }
    if (isRequired) {
      throw new ConfigurationException(
          "postbox.encryption=required, and the %1$s's module sees no CDI bean that implements %2$s. Deploy one in an EJB module or lib/ of the EAR, or in the WAR that holds the %1$s; or leave the key at optional, and payloads are stored in the clear."
              .formatted(module, CIPHER));
    }
    return false;
  }

  /**
   * One that is not there yet, such as an enterprise bean, is tried when the application starts.
   */
  private static void refuseIfItIgnoresAssociatedData(Bean<?> bean, BeanManager beans) {
    CreationalContext<?> context = beans.createCreationalContext(bean);
    Optional<String> refusal;
    try {
      PayloadCipher cipher = (PayloadCipher) beans.getReference(bean, PayloadCipher.class, context);
      refusal = new CipherTrial().refusal(cipher);
    } catch (RuntimeException notYet) { // the container's
      refusal = Optional.empty();
    } finally {
      context.release();
    }
    refusal.ifPresent(
        reason -> {
          throw new ConfigurationException(reason);
        });
  }

  private @Nullable Bean<?> cipher(BeanManager beans) {
    try {
      return beans.resolve(beans.getBeans(PayloadCipher.class));
    } catch (AmbiguousResolutionException several) {
      throw new ConfigurationException(
          "There are several CDI beans that implement %s, and the %s takes one (%s). Make the others @Alternative, or give them a qualifier."
              .formatted(CIPHER, module, several.getMessage()));
    }
  }
}
