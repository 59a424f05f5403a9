package io.postbox.inbox.kept;

import io.postbox.common.server.CallerName;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.security.Principal;

/**
 * The caller's name. The inbox may be deployed where no enterprise bean is possible, so it uses the
 * principal that every CDI container offers.
 */
@ApplicationScoped
class CallerPrincipal {
  @Inject Instance<Principal> principals;

  /** The name of the caller's principal; {@code unknown} if no user is logged in. */
  String name() {
    try {
      return CallerName.of(principals.get());
    } catch (RuntimeException notLoggedIn) {
      // In a server without any security feature, every method of Weld's proxy throws.
      return CallerName.of(null);
    }
  }
}
