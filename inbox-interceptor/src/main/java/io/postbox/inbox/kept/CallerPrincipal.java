package io.postbox.inbox.kept;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who calls. The module lies where there can be no enterprise bean to ask for it, so it asks for
 * the bean that every CDI container has.
 */
@ApplicationScoped
class CallerPrincipal {
  private static final String UNKNOWN = "unknown";

  @Inject Instance<Principal> principals;

  /** The name of the caller's principal; {@code unknown} if nobody is logged in. */
  String name() {
    String name = named();
    return name == null || name.isBlank() || isNobody(name) ? UNKNOWN : name;
  }

  /**
   * In a server without any security feature Weld gives out a proxy of nobody, which throws
   * whatever it is asked; there is no way to see that it is one.
   */
  private @Nullable String named() {
    Principal principal = principals.get();
    try {
      return principal == null ? null : principal.getName();
    } catch (RuntimeException ofNobody) {
      return null;
    }
  }

  /** A server has to answer something also where nobody is logged in. */
  private static boolean isNobody(String name) {
    return name.equals("UNAUTHENTICATED") // Open Liberty
        || name.equalsIgnoreCase("anonymous");
  }
}
