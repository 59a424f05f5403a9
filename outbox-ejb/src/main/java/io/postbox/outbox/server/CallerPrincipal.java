package io.postbox.outbox.server;

import io.postbox.common.server.CallerName;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;

/**
 * The caller's name, from an enterprise bean's context: it is the same for EJBs, servlets and CDI
 * beans, however the caller logged in, and needs no security feature where there is no login.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.SUPPORTS)
public class CallerPrincipal {
  @Resource SessionContext context;

  /** The name of the caller's principal; {@code unknown} if no user is logged in. */
  public String name() {
    return CallerName.of(context.getCallerPrincipal());
  }
}
