package io.postbox.console.inbox;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.console.api.EditResource;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.ParkedMessages;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
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

  /** Of parked messages. */
  public ParkedEdits() {
    super("inbox", "bodyType");
  }

  @Override
  protected Json preview(String id, MessageEdit edit) {
    long message = KeptFilters.id(id);
    EditPreview<KeptMessage> preview =
        usable(message, () -> parked.preview(message, edit)).orElseThrow(() -> gone());
    return json(preview)
        .put("message", InboxJson.parked(preview.message()))
        .put(
            "effect",
            List.of(
                "The message keeps its id, so that it takes effect once: a late copy with the old"
                    + " body is quarantined after it.",
                "It stays parked until somebody redrives it."));
  }

  @Override
  protected Optional<String> edit(PlanId plan, String id, MessageEdit edit, String reason) {
    long message = KeptFilters.id(id);
    try {
      boolean isEdited =
          usable(message, () -> parked.edit(plan.row(), plan.detail(), message, edit, reason));
      return isEdited ? Optional.of(id) : Optional.empty();
    } catch (IllegalStateException edited) {
      throw Problem.conflict(
          "plan-refused",
          "The plan was refused",
          "Somebody has edited the message since the plan was made; nothing was changed.",
          "Make another plan: it shows the present content.");
    }
  }

  private <T> T usable(long message, Supplier<T> module) {
    try {
      return module.get();
    } catch (IllegalArgumentException unusable) {
      if (parked.get(message).filter(it -> it.reason().equals("REPLY_NOT_SENT")).isPresent()) {
        throw Problem.invalid(
            "The message was handled, and only its reply is missing, which an edit does not"
                + " change; nothing was changed.",
            "Redrive it: that sends the reply.");
      }
      throw Problem.invalid(
          "The message could not be sent to its consumer like that; nothing was changed.",
          "Keep its kind of body and its size; change only properties of the sender's own, and"
              + " none that holds its id. Messages whose ids a resolver finds cannot be"
              + " edited.");
    }
  }
}
