package io.postbox.console.outbox;

import io.postbox.console.api.EditRequest;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import io.postbox.console.http.Plans;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.EditPreview;
import io.postbox.outbox.MessageEdit;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Changes the payload or the properties of a dead letter, by a plan that says what changes. */
@Path("outbox/edits")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class LetterEdits {
  private static final String EDIT = "edit";
  private static final String NONE = "There is no dead letter with this id.";
  private static final int LONGEST_ID = 36;

  @Inject DeadLetters letters;
  @Inject Plans plans;
  @Inject RequestBody body;
  @Context SecurityContext caller;

  /** A planned edit. */
  private record Planned(UUID letter, MessageEdit edit) {}

  /** Says what an edit would make of a dead letter, and keeps the plan for it. */
  @POST
  @Requires(Role.EDITOR)
  public Response plan() {
    Fields fields = body.fields().only("id", "text", "bytes", "properties");
    UUID letter = LetterFilters.id(fields.text("id", LONGEST_ID));
    MessageEdit edit = edit(EditRequest.of(fields));
    EditPreview preview =
        letters.preview(letter, edit).orElseThrow(() -> Problem.gone(NONE).exception());
    long followers = letters.plan(DeadLetterFilter.all().id(letter)).followers();
    Plans.Kept kept = plans.keep(EDIT, new Planned(letter, edit), principal());
    return json(preview, followers)
        .put("id", kept.id().toString())
        .put("action", EDIT)
        .put("expiresAt", kept.expiresAt())
        .as(201);
  }

  private static MessageEdit edit(EditRequest wanted) {
    return wanted.as(
        MessageEdit::text, MessageEdit::bytes, MessageEdit::samePayload, MessageEdit::properties);
  }

  private static Json json(EditPreview preview, long followers) {
    List<String> effect = new ArrayList<>();
    effect.add(
        "The letter keeps its place and its ordering key, and gets a new id: a receiver may know the"
            + " old one with the old content. The audit keeps both.");
    if (followers > 0) {
      effect.add(
          Numbered.sentence(
              "{# message waits behind it, and goes|# messages wait behind it, and go} on waiting.",
              followers));
    }
    effect.add("It stays a dead letter until somebody redrives it.");
    return Json.object()
        .put("messages", 1)
        .put("followers", followers)
        .put("letter", OutboxJson.letter(preview.letter()).build())
        .put("source", preview.source())
        .put("replyTo", preview.replyTo())
        .put("before", content(preview.before()))
        .put("after", content(preview.after()))
        .put("effect", effect);
  }

  private static JsonObject content(EditPreview.Content content) {
    return Json.object()
        .put("contentType", content.contentType())
        .put("bytes", content.bytes())
        .put("sha256", content.sha256())
        .put("properties", content.properties())
        .build();
  }

  /** Edits the letter as planned. */
  @POST
  @Path("{id}/run")
  @Requires(Role.EDITOR)
  public Response run(@PathParam("id") String id) {
    String reason = body.fields().only("reason").reason();
    Planned planned = plans.take(id, EDIT, Planned.class, principal());
    return letters
        .edit(planned.letter(), planned.edit(), reason)
        .map(newId -> Outcome.changed(newId).response())
        .orElseThrow(() -> Problem.gone(NONE).exception());
  }

  private String principal() {
    return caller.getUserPrincipal().getName();
  }
}
