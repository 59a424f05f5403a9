package io.postbox.sample.web;

import io.postbox.sample.orders.NoSuchOrderException;
import io.postbox.sample.orders.StillWaitingException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.lang.System.Logger.Level;
import java.util.UUID;

/** Turns exceptions into JSON, without details of the implementation. */
@Provider
public class Errors implements ExceptionMapper<Throwable> {
  private static final System.Logger LOG = System.getLogger(Errors.class.getName());

  @Override
  public Response toResponse(Throwable thrown) {
    if (thrown instanceof BadInputException bad) {
      return bad.error().as(400).build();
    }
    if (thrown instanceof NoSuchOrderException || thrown instanceof NotThereException) {
      return new ApiError(message(thrown)).as(404).build();
    }
    if (thrown instanceof StillWaitingException) {
      return new ApiError(message(thrown)).as(409).build();
    }
    if (thrown instanceof WebApplicationException http && http.getResponse().getStatus() < 500) {
      return keepHeaders(http.getResponse(), sentence(http));
    }
    return unexpected(thrown);
  }

  private static Response keepHeaders(Response original, String sentence) {
    Response.ResponseBuilder response = new ApiError(sentence).as(original.getStatus());
    Object allow = original.getHeaders().getFirst("Allow");
    return (allow == null ? response : response.header("Allow", allow)).build();
  }

  private static String sentence(WebApplicationException http) {
    if (http instanceof NotSupportedException) {
      return "Send the order as JSON, with the header Content-Type: application/json";
    }
    return switch (http.getResponse().getStatus()) {
      case 404 -> "There is nothing at this address.";
      case 405 -> "This address does not take this method.";
      case 406 -> "The answer can only be JSON: Accept: application/json";
      default -> http.getResponse().getStatusInfo().getReasonPhrase();
    };
  }

  private static Response unexpected(Throwable thrown) {
    UUID incident = UUID.randomUUID();
    LOG.log(Level.ERROR, "A request failed, incident " + incident, thrown);
    return new ApiError(
            "The request failed, and whether it took effect is not known. The server's log has"
                + " more, under incident "
                + incident)
        .as(500)
        .build();
  }

  private static String message(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
