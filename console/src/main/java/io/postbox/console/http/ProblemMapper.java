package io.postbox.console.http;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.UUID;

/** Turns every exception into a {@link Problem}; an exception's own text stays in the log. */
@Provider
@ApplicationScoped
public class ProblemMapper implements ExceptionMapper<Throwable> {
  @Context UriInfo address;
  @Context Request request;
  @Inject Modules modules;

  @Override
  public Response toResponse(Throwable thrown) {
    if (thrown instanceof ProblemException ours) {
      return ours.problem().response();
    }
    if (thrown instanceof WebApplicationException http && http.getResponse().getStatus() < 500) {
      return ofServer(http.getResponse());
    }
    if (thrown instanceof IllegalArgumentException) {
      ConsoleLog.unusable(request.getMethod(), address.getPath(), thrown);
      return Problem.unusable().response();
    }
    return modules
        .problem(thrown)
        .map(
            problem -> {
              ConsoleLog.unusable(request.getMethod(), address.getPath(), thrown);
              return problem.response();
            })
        .orElseGet(
            () -> {
              UUID incident = UUID.randomUUID();
              ConsoleLog.failed(incident, request.getMethod(), address.getPath(), thrown);
              return (modules.isOwnFailure(thrown)
                      ? Problem.unavailable(incident)
                      : Problem.unexpected(incident))
                  .response();
            });
  }

  private Response ofServer(Response refused) {
    Problem problem =
        refused.getStatus() == 404
            ? modules.absent(address.getPath()).orElseGet(() -> Problem.ofStatus(404))
            : Problem.ofStatus(refused.getStatus());
    Response answer = problem.response();
    Object allow = refused.getHeaders().getFirst("Allow");
    return allow == null ? answer : Response.fromResponse(answer).header("Allow", allow).build();
  }
}
