package io.postbox.console.http;

import io.postbox.common.log.Causes;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Turns every exception into a {@link Problem}; an exception's own text stays in the log. */
@Provider
@ApplicationScoped
public class ProblemMapper implements ExceptionMapper<Throwable> {
  private static final String CANCELLED = "57014";

  private final ConsoleLog log = new ConsoleLog(System::nanoTime);

  @Context UriInfo address;
  @Context Request request;
  @Inject Modules modules;

  @PostConstruct
  void configureLog() {
    modules.configureLog();
  }

  @Override
  public Response toResponse(Throwable thrown) {
    if (thrown instanceof Problem ours) {
      return ours.response();
    }
    if (thrown instanceof WebApplicationException http && http.getResponse().getStatus() < 500) {
      return ofServer(http.getResponse());
    }
    Optional<Problem> problem =
        thrown instanceof IllegalArgumentException
            ? Optional.of(Problem.unusable())
            : modules.problem(thrown);
    if (problem.isPresent()) {
      ConsoleLog.unusable(request.getMethod(), address.getPath(), thrown);
      return problem.get().response();
    }
    if (isCancelled(thrown)) {
      ConsoleLog.tooSlow(request.getMethod(), address.getPath(), thrown);
      return Problem.tooSlow().response();
    }
    UUID incident = log.failed(request.getMethod(), address.getPath(), thrown);
    return (modules.isOwnFailure(thrown)
            ? Problem.unavailable(incident)
            : Problem.unexpected(incident))
        .response();
  }

  /** Whether the database has cancelled a statement at its limit of time. */
  static boolean isCancelled(Throwable thrown) {
    return Causes.of(thrown)
        .anyMatch(
            cause -> cause instanceof SQLException sql && CANCELLED.equals(sql.getSQLState()));
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
