package io.postbox.console.api;

import io.postbox.common.OperatorAction;
import io.postbox.console.http.Json;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/**
 * The result of a plan that was carried out.
 *
 * @param status the answer's
 * @param answer the fields
 */
public record Outcome(int status, Json answer) {

  /** It goes on in the background. */
  public static Optional<Outcome> inBackground(OperatorAction started) {
    return Optional.of(new Outcome(202, Json.object().put("action", started.id().toString())));
  }

  /** It is done. */
  public static Optional<Outcome> atOnce(Json answer) {
    return Optional.of(new Outcome(200, answer));
  }

  /** A message has changed, and has this id now. */
  public static Outcome changed(String id) {
    return new Outcome(200, Json.object().put("changed", true).put("message", id));
  }

  /** The answer. */
  public Response response() {
    return answer.as(status);
  }
}
