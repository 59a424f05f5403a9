package io.postbox.it.http.refused;

import io.postbox.inbox.http.IdempotencyScope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.servlet.http.HttpServletRequest;

/** Tells callers apart, and is not the only one that does. */
@ApplicationScoped
public class Realms implements IdempotencyScope {
  @Override
  public String of(HttpServletRequest request) {
    return String.valueOf(request.getAuthType());
  }
}
