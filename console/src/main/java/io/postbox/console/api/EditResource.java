package io.postbox.console.api;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.console.http.TypedProperties;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.Optional;

/**
 * Changes a message that is kept, by a plan that says what changes. The plan does not contain the
 * change: whoever carries it out sends it again.
 */
public abstract class EditResource {
  private static final String EDIT = "edit";
  private static final int LONGEST_ID = 36;

  @Inject RequestBody body;

  private final String module;
  private final String type;

  /**
   * @param module outbox or inbox
   * @param type what it calls the kind of a content
   */
  protected EditResource(String module, String type) {
    this.module = module;
    this.type = type;
  }

  /** Says what an edit would make of a message, and keeps the plan for it. */
  @POST
  @Requires(Role.EDITOR)
  public Response plan() {
    Fields fields = body.fields().only("id", "text", "bytes", "properties");
    return preview(id(fields), edit(fields)).put("messages", 1).as(201);
  }

  /** Edits the message as planned. */
  @POST
  @Path("{id}/run")
  @Requires(Role.EDITOR)
  public Response run(@PathParam("id") String id) {
    Fields fields = body.fields().only("reason", "id", "text", "bytes", "properties");
    String reason = fields.reason();
    return edit(PlanId.of(id, EDIT), id(fields), edit(fields), reason)
        .map(edited -> Json.object().put("changed", true).put("message", edited).ok())
        .orElseThrow(() -> gone());
  }

  private static String id(Fields fields) {
    return fields.text("id", LONGEST_ID);
  }

  private static MessageEdit edit(Fields fields) {
    Optional<String> text = fields.optional("text", Integer.MAX_VALUE);
    Optional<byte[]> bytes = fields.octets("bytes");
    Optional<Map<String, Object>> properties = TypedProperties.of(fields, "properties");
    if (text.isPresent() && bytes.isPresent()) {
      throw Problem.invalid(
          "A payload is a text or octets; nothing was changed.", "Leave text or bytes out.");
    }
    if (text.isEmpty() && bytes.isEmpty() && properties.isEmpty()) {
      throw Problem.invalid(
          "This edit would change nothing.", "Give text, bytes (in Base64) or properties.");
    }
    MessageEdit edit =
        text.map(MessageEdit::text)
            .or(() -> bytes.map(MessageEdit::bytes))
            .orElseGet(MessageEdit::samePayload);
    return properties.map(edit::properties).orElse(edit);
  }

  /** The problem of a message that is not there (any more). */
  protected static Problem gone() {
    return Problem.gone("There is no such message any more.");
  }

  /** What a preview tells. */
  protected Json json(EditPreview<?> preview) {
    return PlanId.json(module, EDIT, preview.token(), preview.key())
        .put("source", preview.source())
        .put("replyTo", preview.replyTo())
        .put("before", json(preview.before()))
        .put("after", json(preview.after()));
  }

  private Json json(EditPreview.Content content) {
    return Json.object()
        .put(type, content.type())
        .put("bytes", content.bytes())
        .put("sha256", content.sha256())
        .put("properties", content.properties());
  }

  /** The module's plan of an edit. */
  protected abstract Json preview(String id, MessageEdit edit);

  /** Carries it out; the id that the message has then, empty if it is not there any more. */
  protected abstract Optional<String> edit(PlanId plan, String id, MessageEdit edit, String reason);
}
