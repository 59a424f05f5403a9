package io.postbox.console.api;

import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;

/**
 * Changes a message that is kept, by a plan that says what changes. The plan does not contain the
 * change: whoever carries it out sends it again.
 */
public abstract class EditResource {
  /** The action. */
  protected static final String EDIT = "edit";

  private static final int LONGEST_ID = 36;

  @Inject RequestBody body;

  /** Says what an edit would make of a message, and keeps the plan for it. */
  @POST
  @Requires(Role.EDITOR)
  public Response plan() {
    Fields fields = body.fields().only("id", "text", "bytes", "properties");
    return preview(id(fields), EditRequest.of(fields)).put("messages", 1).as(201);
  }

  /** Edits the message as planned. */
  @POST
  @Path("{id}/run")
  @Requires(Role.EDITOR)
  public Response run(@PathParam("id") String id) {
    Fields fields = body.fields().only("reason", "id", "text", "bytes", "properties");
    String reason = fields.reason();
    return edit(PlanId.of(id, EDIT), id(fields), EditRequest.of(fields), reason)
        .map(edited -> Outcome.changed(edited).response())
        .orElseThrow(() -> gone().exception());
  }

  private static String id(Fields fields) {
    return fields.text("id", LONGEST_ID);
  }

  /** The problem of a message that is not there (any more). */
  protected static Problem gone() {
    return Problem.gone("There is no such message any more.");
  }

  /** A content, by its measures. */
  protected static JsonObject content(
      Json kind, long bytes, Optional<String> sha256, List<String> properties) {
    return kind.put("bytes", bytes).put("sha256", sha256).put("properties", properties).build();
  }

  /** The module's plan of an edit. */
  protected abstract Json preview(String id, EditRequest wanted);

  /** Carries it out; the id that the message has then, empty if it is not there any more. */
  protected abstract Optional<String> edit(
      PlanId plan, String id, EditRequest wanted, String reason);
}
