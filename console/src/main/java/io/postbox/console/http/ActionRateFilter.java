package io.postbox.console.http;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;

/** Refuses actions above the {@link ActionRate}, after the role was seen. */
@Provider
@ApplicationScoped
@Priority(Priorities.AUTHORIZATION + 1)
public class ActionRateFilter implements ContainerRequestFilter {
  @Inject ConsoleSettings settings;

  private ActionRate rate = new ActionRate(1, System::nanoTime);

  @PostConstruct
  void configure() {
    rate = new ActionRate(settings.actionsPerMinute(), System::nanoTime);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (RequestPolicy.isSafe(request.getMethod())) {
      return;
    }
    rate.take(request.getSecurityContext().getUserPrincipal().getName())
        .ifPresent(
            seconds ->
                request.abortWith(
                    Response.fromResponse(
                            Problem.tooManyActions(settings.actionsPerMinute(), seconds).response())
                        .header("Retry-After", seconds)
                        .build()));
  }
}
