package io.postbox.console.outbox;

import io.postbox.console.api.EditRequest;
import io.postbox.console.api.EditResource;
import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.EditPreview;
import io.postbox.outbox.MessageEdit;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Changes the payload or the properties of a dead letter. */
@Path("outbox/edits")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class LetterEdits extends EditResource {
  @Inject DeadLetters letters;

  @Override
  protected Json preview(String id, EditRequest wanted) {
    UUID letter = LetterFilters.id(id);
    EditPreview preview =
        letters.preview(letter, edit(wanted)).orElseThrow(() -> gone().exception());
    long followers = letters.plan(DeadLetterFilter.all().id(letter)).followers();
    List<String> effect = new ArrayList<>();
    effect.add(
        "The letter keeps its place and its ordering key, and gets a new id: a receiver may know"
            + " the old one with the old content. The audit keeps both.");
    if (followers > 0) {
      effect.add(
          Numbered.sentence(
              "{# message waits behind it, and goes|# messages wait behind it, and go} on waiting.",
              followers));
    }
    effect.add("It stays a dead letter until somebody redrives it.");
    return PlanId.json("outbox", EDIT, preview.token(), preview.key())
        .put("followers", followers)
        .put("letter", OutboxJson.letter(preview.letter()).build())
        .put("source", preview.source())
        .put("replyTo", preview.replyTo())
        .put("before", content(preview.before()))
        .put("after", content(preview.after()))
        .put("effect", effect);
  }

  private static JsonObject content(EditPreview.Content content) {
    return content(
        Json.object().put("contentType", content.contentType()),
        content.bytes(),
        content.sha256(),
        content.properties());
  }

  @Override
  protected Optional<String> edit(PlanId plan, String id, EditRequest wanted, String reason) {
    return letters
        .edit(plan.row(), plan.detail(), LetterFilters.id(id), edit(wanted), reason)
        .map(UUID::toString);
  }

  private static MessageEdit edit(EditRequest wanted) {
    return wanted.as(
        MessageEdit::text, MessageEdit::bytes, MessageEdit::samePayload, MessageEdit::properties);
  }
}
