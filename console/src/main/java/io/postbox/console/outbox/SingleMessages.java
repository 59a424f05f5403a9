package io.postbox.console.outbox;

import io.postbox.common.PlanToken;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.outbox.ArchivedMessages;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.WaitingMessages;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Cancels one message before it is sent, or sends one again. */
@ApplicationScoped
public class SingleMessages {
  static final String CANCEL = "cancel";
  static final String RESEND = "resend";
  static final String RESEND_AS = "resend-as";

  /** The actions on one message. */
  static final Set<String> ACTIONS = Set.of(CANCEL, RESEND, RESEND_AS);

  private static final Set<Status> WAITING = Set.of(Status.PENDING, Status.DELAYED, Status.HELD);
  private static final int MOST_OF_ONE_ID = 100;

  @Inject MessageLookup lookup;
  @Inject WaitingMessages waiting;
  @Inject ArchivedMessages archived;

  /**
   * A plan for one message, with what it would do. A new id is made with the plan, so that the
   * message is sent at most once under it.
   */
  Json plan(String action, UUID message) {
    UUID newId = action.equals(RESEND_AS) ? UUID.randomUUID() : message;
    PlanToken token =
        action.equals(CANCEL) ? waiting.planCancel(message) : archived.plan(message, newId);
    Optional<FoundMessage> found =
        lookup.find(LookupFilter.all().id(message), "", MOST_OF_ONE_ID).items().stream()
            .filter(
                each ->
                    action.equals(CANCEL)
                        ? !each.archived() && WAITING.contains(each.status())
                        : each.archived())
            .findFirst();
    Json plan =
        PlanId.json("outbox", action, token, message + "." + newId)
            .put("messages", found.isPresent() ? 1 : 0)
            .putValue("message", found.map(OutboxJson::found))
            .put("effect", found.map(it -> effect(action, newId, it)).orElse(List.of()));
    return action.equals(RESEND_AS) ? plan.put("newId", newId.toString()) : plan;
  }

  private static List<String> effect(String action, UUID newId, FoundMessage message) {
    boolean keyed = message.orderingKey().isPresent();
    List<String> effect = new ArrayList<>();
    if (action.equals(CANCEL)) {
      effect.add(
          "The message is never sent: it goes to the archive as DISCARDED, for the retention.");
      if (keyed) {
        effect.add("The messages of its ordering key are sent without it, in their order.");
      }
      effect.add("If the relay is sending it at this moment, it is too late, and nothing changes.");
      return effect;
    }
    effect.add(
        action.equals(RESEND)
            ? "The message is sent again under its own id: an inbox that has handled it, and still"
                + " knows that, skips it."
            : "The message is sent again under the id %s: every receiver handles it again."
                .formatted(newId));
    effect.add("It is sent without a time limit and without a delay.");
    if (keyed) {
      effect.add("It becomes the last one of its ordering key.");
    }
    return effect;
  }

  /** Carries out a plan; empty if it is for something else. */
  Optional<Response> run(PlanId plan, String reason) {
    if (!ACTIONS.contains(plan.action())) {
      return Optional.empty();
    }
    String[] ids = plan.detail().split("\\.", -1);
    UUID message = LetterFilters.id(ids[0]);
    UUID newId = LetterFilters.id(ids[ids.length - 1]);
    boolean changed =
        plan.action().equals(CANCEL)
            ? waiting.cancel(plan.row(), message, reason)
            : resend(plan.row(), message, newId, reason);
    Json answer = Json.object().put("changed", changed); // or it was too late
    return Optional.of((changed ? answer.put("message", newId.toString()) : answer).ok());
  }

  private boolean resend(UUID plan, UUID message, UUID newId, String reason) {
    try {
      return archived.resend(plan, message, newId, reason);
    } catch (IllegalStateException there) {
      throw Problem.conflict(
              "in-outbox",
              "The message is in the outbox",
              "A message with this id is in the outbox; nothing was changed.",
              "Wait until it is sent, or resend the archived one under a new id.")
          .exception();
    } catch (IllegalArgumentException encrypted) {
      throw Problem.conflict(
              "encrypted",
              "The message is encrypted",
              "Its cipher text is bound to its id; nothing was changed.",
              "Resend it under its own id, or have the application enqueue it again.")
          .exception();
    }
  }
}
