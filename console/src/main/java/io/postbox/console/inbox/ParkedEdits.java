package io.postbox.console.inbox;

import io.postbox.console.api.EditRequest;
import io.postbox.console.api.EditResource;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.inbox.ParkedEdit;
import io.postbox.inbox.ParkedEditPreview;
import io.postbox.inbox.ParkedMessages;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Changes the body or properties of a parked message. */
@Path("inbox/edits")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class ParkedEdits extends EditResource {
  @Inject ParkedMessages parked;

  @Override
  protected Json preview(String id, EditRequest wanted) {
    long message = KeptFilters.id(id);
    ParkedEditPreview preview =
        usable(message, () -> parked.preview(message, edit(wanted)))
            .orElseThrow(() -> gone().exception());
    return PlanId.json("inbox", EDIT, preview.token(), preview.key())
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
    return content(
        Json.object().put("bodyType", content.bodyType()),
        content.bytes(),
        content.sha256(),
        content.properties());
  }

  @Override
  protected Optional<String> edit(PlanId plan, String id, EditRequest wanted, String reason) {
    long message = KeptFilters.id(id);
    try {
      boolean edited =
          usable(
              message, () -> parked.edit(plan.row(), plan.detail(), message, edit(wanted), reason));
      return edited ? Optional.of(id) : Optional.empty();
    } catch (IllegalStateException edited) {
      throw Problem.conflict(
              "plan-refused",
              "The plan was refused",
              "Somebody has edited the message since the plan was made; nothing was changed.",
              "Make another plan: it shows the present content.")
          .exception();
    }
  }

  private static ParkedEdit edit(EditRequest wanted) {
    return wanted.as(
        ParkedEdit::text, ParkedEdit::bytes, ParkedEdit::samePayload, ParkedEdit::properties);
  }

  private <T> T usable(long message, Supplier<T> module) {
    try {
      return module.get();
    } catch (IllegalArgumentException unusable) {
      if (parked.get(message).filter(it -> it.reason().equals("REPLY_NOT_SENT")).isPresent()) {
        throw Problem.invalid(
                "The message was handled, and only its reply is missing, which an edit does not"
                    + " change; nothing was changed.",
                "Redrive it: that sends the reply.")
            .exception();
      }
      throw Problem.invalid(
              "The message could not be sent to its consumer like that; nothing was changed.",
              "Keep its kind of body and its size; change only properties of the sender's own, and"
                  + " none that holds its id. Messages whose ids a resolver finds cannot be"
                  + " edited.")
          .exception();
    }
  }
}
