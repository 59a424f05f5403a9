package io.postbox.inbox.http;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells callers apart whose principals have one name: the tenants of an application. An application
 * that has some provides one CDI bean that implements this. It is no substitute for a caller: a
 * request without a principal is still refused, unless its method says {@link
 * Idempotent#anonymous}.
 */
@FunctionalInterface
public interface IdempotencyScope {
  /**
   * What the keys of a request belong to beside its caller and its method, for instance the name of
   * its tenant; stored only within a digest. Called before the request's transaction begins; what
   * it throws fails the request, of which nothing is done then. Must be thread-safe.
   *
   * @param request as the container received it, with the attributes that filters have set
   * @return any text; an empty one, too, is a scope of its own
   */
  String of(HttpServletRequest request);
}
