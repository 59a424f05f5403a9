package io.postbox.inbox.kept;

import io.postbox.common.server.CallerName;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.security.Principal;

/**
 * Who calls. The module lies where there can be no enterprise bean to ask for it, so it asks for
 * the bean that every CDI container has.
 */
@ApplicationScoped
class CallerPrincipal {
  @Inject Instance<Principal> principals;

  /** The name of the caller's principal; {@code unknown} if nobody is logged in. */
  String name() {
    try {
      return CallerName.of(principals.get());
    } catch (RuntimeException notLoggedIn) {
      // In a server without any security feature, every method of Weld's proxy throws.
      return CallerName.of(null);
    }
  }
}
