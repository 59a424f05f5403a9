package io.postbox.outbox.server;

import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.security.Principal;

/**
 * The caller's name, from an enterprise bean's context: it is the same for EJBs, servlets and CDI
 * beans, whichever way the caller logged in, and needs no security feature where nobody logs in.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.SUPPORTS)
public class CallerPrincipal {
  private static final String UNKNOWN = "unknown";

  @Resource SessionContext context;

  /** The name of the caller's principal; {@code unknown} if nobody is logged in. */
  public String name() {
    Principal principal = context.getCallerPrincipal();
    String name = principal == null ? null : principal.getName();
    return name == null || name.isBlank() || isNobody(name) ? UNKNOWN : name;
  }

  /** A server has to answer something also where nobody is logged in. */
  private static boolean isNobody(String name) {
    return name.equals("UNAUTHENTICATED") // Open Liberty
        || name.equalsIgnoreCase("anonymous");
  }
}
