package io.postbox.console.api;

import io.postbox.common.OperatorAction;
import io.postbox.console.http.Json;
import jakarta.ws.rs.core.Response;
import java.util.UUID;

/**
 * The result of a plan that was carried out.
 *
 * @param status the answer's
 * @param answer the fields
 */
public record Outcome(int status, Json answer) {

  /** It goes on in the background. */
  public static Outcome inBackground(OperatorAction started) {
    return new Outcome(202, Json.object().put("action", started.id().toString()));
  }

  /** A message has changed, and has this id now. */
  public static Outcome changed(UUID id) {
    return new Outcome(200, Json.object().put("changed", true).put("message", id.toString()));
  }

  /** Nothing has changed, because it was too late. */
  public static Outcome tooLate() {
    return new Outcome(200, Json.object().put("changed", false));
  }

  /** The answer. */
  public Response response() {
    return answer.as(status);
  }
}
