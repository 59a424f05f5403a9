package io.postbox.console.http;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Refuses whoever lacks the role of a resource method, and everybody where none is named. */
@Provider
@Priority(Priorities.AUTHORIZATION)
public class RoleFilter implements ContainerRequestFilter {
  @Context ResourceInfo resource;

  @Override
  public void filter(ContainerRequestContext request) {
    SecurityContext caller = request.getSecurityContext();
    refusal(resource.getResourceMethod(), Role.of(caller::isUserInRole))
        .ifPresent(problem -> request.abortWith(problem.response()));
  }

  static Optional<Problem> refusal(@Nullable Method method, Set<Role> roles) {
    Requires requires = method == null ? null : method.getAnnotation(Requires.class);
    if (requires == null) {
      return Optional.of(Problem.closed());
    }
    return Stream.of(requires.value()).anyMatch(roles::contains)
        ? Optional.empty()
        : Optional.of(Problem.forbidden(requires.value()));
  }
}
