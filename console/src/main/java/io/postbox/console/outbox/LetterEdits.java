package io.postbox.console.outbox;

import io.postbox.common.EditPreview;
import io.postbox.common.MessageEdit;
import io.postbox.console.api.EditResource;
import io.postbox.console.http.Effect;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetters;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Changes the payload or the properties of a dead letter. */
@Path("outbox/edits")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class LetterEdits extends EditResource {
  @Inject DeadLetters letters;

  /** Of dead letters. */
  public LetterEdits() {
    super("outbox", "contentType");
  }

  @Override
  protected Json preview(String id, MessageEdit edit) {
    UUID letter = LetterFilters.id(id);
    EditPreview<DeadLetter> preview = letters.preview(letter, edit).orElseThrow(() -> gone());
    long followers = letters.plan(DeadLetterFilter.all().id(letter)).followers();
    List<String> effect =
        new Effect()
            .say(
                "The letter keeps its place and its ordering key, and gets a new id: a receiver may"
                    + " know the old one with the old content. The audit keeps both.")
            .sayIfAny(
                followers,
                "{# message waits behind it, and goes|# messages wait behind it, and go} on"
                    + " waiting.")
            .say("It stays a dead letter until somebody redrives it.")
            .sentences();
    return json(preview)
        .put("followers", followers)
        .put("letter", OutboxJson.letter(preview.message()))
        .put("effect", effect);
  }

  @Override
  protected Optional<String> edit(PlanId plan, String id, MessageEdit edit, String reason) {
    return letters
        .edit(plan.row(), plan.detail(), LetterFilters.id(id), edit, reason)
        .map(UUID::toString);
  }
}
