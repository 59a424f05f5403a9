package io.postbox.console.inbox;

import io.postbox.console.api.EditRequest;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Plans;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.inbox.ParkedEdit;
import io.postbox.inbox.ParkedEditPreview;
import io.postbox.inbox.ParkedMessages;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;

/** Changes the body or properties of a parked message, by a plan that says what changes. */
@Path("inbox/edits")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class ParkedEdits {
  private static final String EDIT = "edit";
  private static final String NONE = "There is no such message any more.";
  private static final int LONGEST_ID = 18;

  @Inject ParkedMessages parked;
  @Inject Plans plans;
  @Inject RequestBody body;
  @Context SecurityContext caller;

  /** A planned edit. */
  private record Planned(long message, ParkedEdit edit) {}

  /** Says what an edit would make of a parked message, and keeps the plan for it. */
  @POST
  @Requires(Role.EDITOR)
  public Response plan() {
    Fields fields = body.fields().only("id", "text", "bytes", "properties");
    Planned planned =
        new Planned(KeptFilters.id(fields.text("id", LONGEST_ID)), edit(EditRequest.of(fields)));
    ParkedEditPreview preview = preview(planned);
    Plans.Kept kept =
        plans.keep(EDIT, new Planned(planned.message(), planned.edit().of(preview)), principal());
    return json(preview)
        .put("id", kept.id().toString())
        .put("action", EDIT)
        .put("expiresAt", kept.expiresAt())
        .as(201);
  }

  private static ParkedEdit edit(EditRequest wanted) {
    return wanted.as(
        ParkedEdit::text, ParkedEdit::bytes, ParkedEdit::samePayload, ParkedEdit::properties);
  }

  private ParkedEditPreview preview(Planned planned) {
    try {
      return parked
          .preview(planned.message(), planned.edit())
          .orElseThrow(() -> Problem.gone(NONE).exception());
    } catch (IllegalArgumentException unusable) {
      refuseHandled(planned.message());
      throw Problem.invalid(
              "The message could not be sent to its consumer like that; nothing was changed.",
              "Keep its kind of body and its size; change only properties of the sender's own, and"
                  + " none that holds its id. Messages whose ids a resolver finds cannot be"
                  + " edited.")
          .exception();
    }
  }

  private void refuseHandled(long message) {
    if (parked.get(message).filter(it -> it.reason().equals("REPLY_NOT_SENT")).isPresent()) {
      throw Problem.invalid(
              "The message was handled, and only its reply is missing, which an edit does not"
                  + " change; nothing was changed.",
              "Redrive it: that sends the reply.")
          .exception();
    }
  }

  private static Json json(ParkedEditPreview preview) {
    return Json.object()
        .put("messages", 1)
        .put("message", InboxJson.parked(preview.message()).build())
        .put("source", preview.message().source())
        .put("replyTo", preview.message().replyTo())
        .put("before", content(preview.before()))
        .put("after", content(preview.after()))
        .put(
            "effect",
            List.of(
                "The message keeps its id, so that it takes effect once: a late copy with the old"
                    + " body is quarantined after it.",
                "It stays parked until somebody redrives it."));
  }

  private static JsonObject content(ParkedEditPreview.Content content) {
    return Json.object()
        .put("bodyType", content.bodyType())
        .put("bytes", content.bytes())
        .put("sha256", content.sha256())
        .put("properties", content.properties())
        .build();
  }

  private boolean edit(Planned planned, String reason) {
    try {
      return parked.edit(planned.message(), planned.edit(), reason);
    } catch (IllegalStateException edited) {
      throw Problem.conflict(
              "plan-refused",
              "The plan was refused",
              "Somebody has edited the message since the plan was made; nothing was changed.",
              "Make another plan: it shows the present content.")
          .exception();
    }
  }

  /** Edits the message as planned. */
  @POST
  @Path("{id}/run")
  @Requires(Role.EDITOR)
  public Response run(@PathParam("id") String id) {
    String reason = body.fields().only("reason").reason();
    Planned planned = plans.take(id, EDIT, Planned.class, principal());
    preview(planned); // the message may have changed since
    if (!edit(planned, reason)) {
      throw Problem.gone(NONE).exception();
    }
    return Json.object()
        .put("changed", true)
        .put("message", String.valueOf(planned.message()))
        .ok();
  }

  private String principal() {
    return caller.getUserPrincipal().getName();
  }
}
