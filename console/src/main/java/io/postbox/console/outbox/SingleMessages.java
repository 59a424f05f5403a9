package io.postbox.console.outbox;

import io.postbox.console.api.Outcome;
import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.outbox.ArchivedMessages;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.WaitingMessages;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
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
   * A plan for one message.
   *
   * @param message its id
   * @param newId the one under which it is sent again: its own, or one made with the plan, so that
   *     it is sent at most once
   */
  record Plan(UUID message, UUID newId) {}

  static Plan plan(String action, UUID message) {
    return new Plan(message, action.equals(RESEND_AS) ? UUID.randomUUID() : message);
  }

  /** Adds what the plan would do. */
  void describe(Json answer, String action, Plan plan) {
    Optional<FoundMessage> found =
        lookup.find(LookupFilter.all().id(plan.message()), "", MOST_OF_ONE_ID).items().stream()
            .filter(
                each ->
                    action.equals(CANCEL)
                        ? !each.archived() && WAITING.contains(each.status())
                        : each.archived())
            .findFirst();
    answer
        .put("messages", found.isPresent() ? 1 : 0)
        .putValue("message", found.map(OutboxJson::found))
        .put("effect", found.map(message -> effect(action, plan, message)).orElse(List.of()));
    if (action.equals(RESEND_AS)) {
      answer.put("newId", plan.newId().toString());
    }
  }

  private static List<String> effect(String action, Plan plan, FoundMessage message) {
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
                .formatted(plan.newId()));
    effect.add("It is sent without a time limit and without a delay.");
    if (keyed) {
      effect.add("It becomes the last one of its ordering key.");
    }
    return effect;
  }

  /** Carries out a plan. */
  Outcome run(String action, Plan plan, String reason) {
    boolean changed =
        action.equals(CANCEL) ? waiting.cancel(plan.message(), reason) : resend(plan, reason);
    return changed ? Outcome.changed(plan.newId()) : Outcome.tooLate();
  }

  private boolean resend(Plan plan, String reason) {
    try {
      return plan.newId().equals(plan.message())
          ? archived.resend(plan.message(), reason)
          : archived.resendAs(plan.message(), plan.newId(), reason);
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
