package io.postbox.it.http;

import io.postbox.inbox.http.IdempotencyScope;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.servlet.http.HttpServletRequest;

/** Each client names its tenant. */
@ApplicationScoped
public class Tenants implements IdempotencyScope {
  @Override
  public String of(HttpServletRequest request) {
    return String.valueOf(request.getHeader("X-Tenant"));
  }
}
