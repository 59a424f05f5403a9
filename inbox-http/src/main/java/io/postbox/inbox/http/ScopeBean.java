package io.postbox.inbox.http;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The application's {@link IdempotencyScope}, if it has one; made once. Thread-safe. */
@ApplicationScoped
class ScopeBean {
  private final Supplier<@Nullable IdempotencyScope> scope;

  /** For the container's proxy. */
  ScopeBean() {
    scope = () -> null;
  }

  @Inject
  ScopeBean(Instance<IdempotencyScope> beans) {
    IdempotencyScope found = beans.isUnsatisfied() ? null : beans.get();
    scope = () -> found;
  }

  ScopeBean(Supplier<@Nullable IdempotencyScope> scope) {
    this.scope = scope;
  }

  /** What the application says of a request; {@code null} if it has nothing to say of any. */
  @Nullable String of(HttpServletRequest request) {
    IdempotencyScope found = scope.get();
    return found == null
        ? null
        : Objects.requireNonNull(
            found.of(request), () -> found.getClass().getName() + " returned null");
  }
}
