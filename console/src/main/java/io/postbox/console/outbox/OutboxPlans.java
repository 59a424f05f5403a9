package io.postbox.console.outbox;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorActions;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.common.RedrivePace;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.http.Effect;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.outbox.ArchivedMessages;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxActions;
import io.postbox.outbox.OutboxErasure;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingPlan;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Says in numbers what an action on the outbox's messages would do, and carries it out. */
@Path("outbox/plans")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class OutboxPlans implements ActionRunner {
  static final String REDRIVE = "redrive";
  static final String DISCARD = "discard";
  static final String DISCARD_WAITING = "discard-waiting";
  static final String REDIRECT = "redirect";

  private static final String CANCEL = "cancel";
  private static final String RESEND = "resend";
  private static final String RESEND_AS = "resend-as";

  private static final Set<Status> WAITING = Set.of(Status.PENDING, Status.DELAYED, Status.HELD);
  private static final int MOST_OF_ONE_ID = 100;

  private static final String ESTIMATED =
      "Not all of those that wait were counted: there are at least so many.";
  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_ACTION = 20;

  @Inject DeadLetters letters;
  @Inject WaitingMessages waiting;
  @Inject MessageLookup lookup;
  @Inject ArchivedMessages archived;
  @Inject OutboxActions outbox;
  @Inject OutboxErasure erasure;
  @Inject RequestBody body;

  /** Counts what an action would touch, and keeps the plan for it. */
  @POST
  @Requires(Role.OPERATOR)
  public Response plan() {
    Fields fields = body.fields().only("action", "filter", "destination", "id");
    String action = fields.text("action", LONGEST_ACTION);
    return switch (action) {
      case REDRIVE, DISCARD -> ofLetters(action, fields);
      case DISCARD_WAITING, REDIRECT -> ofWaiting(action, fields);
      case CANCEL, RESEND, RESEND_AS ->
          ofOne(action, LetterFilters.id(fields.text("id", LONGEST_NAME))).as(201);
      default ->
          throw Problem.invalid(
              "There is no such action; nothing was changed.",
              "Use: "
                  + String.join(
                      ", ", REDRIVE, DISCARD, DISCARD_WAITING, REDIRECT, CANCEL, RESEND, RESEND_AS)
                  + ".");
    };
  }

  private Response ofLetters(String action, Fields fields) {
    Query filter = Query.of(fields.object("filter"), LetterFilters.NAMES);
    DeadLetterPlan plan = letters.plan(LetterFilters.of(filter));
    return json(action, plan).as(201);
  }

  static Json json(String action, DeadLetterPlan plan) {
    return PlanId.json("outbox", action, plan.token(), "")
        .put("asOf", plan.asOf())
        .put("messages", plan.letters())
        .put("followers", plan.followers())
        .put("expired", plan.expired())
        .put(
            "orderingKeys",
            plan.destinations().stream()
                .mapToLong(DeadLetterPlan.ForDestination::orderingKeys)
                .sum())
        .put("rate", plan.perSecond())
        .put("takesSeconds", plan.takes())
        .put("destinations", plan.destinations(), OutboxPlans::destination)
        .put("effect", action.equals(REDRIVE) ? redriveEffect(plan) : discardEffect(plan));
  }

  private static Json destination(DeadLetterPlan.ForDestination each) {
    return Json.object()
        .put("destination", each.destination())
        .put("letters", each.letters())
        .put("orderingKeys", each.orderingKeys())
        .put("followers", each.followers())
        .put("expired", each.expired())
        .put("oldest", each.oldest())
        .put("newest", each.newest());
  }

  private static List<String> redriveEffect(DeadLetterPlan plan) {
    return new Effect()
        .say(
            plan.letters(),
            "{# dead letter becomes pending again, with all its|# dead letters become pending"
                + " again, with all their} attempts.")
        .sayIfAny(
            plan.followers(),
            "{# message waits|# messages wait} behind them; those of a key follow as soon as its"
                + " letters were sent.")
        .sayIf(plan.estimated(), ESTIMATED)
        .say("Letters of one ordering key are sent in their order.")
        .sayIfAny(
            plan.expired(),
            "{# letter is past its time limit: it is|# letters are past their time limit: they"
                + " are} sent all the same, without a limit.")
        .sentences();
  }

  private static List<String> discardEffect(DeadLetterPlan plan) {
    return new Effect()
        .say(
            plan.letters(),
            "{# dead letter is never sent: it goes|# dead letters are never sent: they go} to the"
                + " archive as DISCARDED, for the retention.")
        .sayIfAny(
            plan.followers(),
            "{# message that waits behind them is|# messages that wait behind them are} sent"
                + " without them.")
        .sayIf(plan.estimated(), ESTIMATED)
        .sentences();
  }

  private static List<String> waitingEffect(String action, WaitingPlan plan) {
    Effect effect = new Effect();
    if (action.equals(REDIRECT)) {
      effect
          .say(
              plan.messages(),
              "{# waiting message|# waiting messages}, and all later ones, go to the other"
                  + " destination.")
          .say(
              "Each key keeps its order; there is no order relative to messages that are enqueued"
                  + " for the other destination itself.")
          .say("It goes on until somebody ends it.");
    } else {
      effect
          .say(
              plan.messages(),
              "{# waiting message is never sent: it goes|# waiting messages are never sent: they"
                  + " go} to the archive as DISCARDED, for the retention.")
          .say(
              "The relay goes on meanwhile and may send some of them first; pause the destination"
                  + " to prevent that.");
    }
    return effect.sayIf(plan.estimated(), ESTIMATED).sentences();
  }

  private Response ofWaiting(String action, Fields fields) {
    if (!fields.object("filter").names().isEmpty()) {
      throw Problem.invalid(
          "This action takes all that waits for a destination, and no filter; nothing was"
              + " changed.",
          "Leave filter out, and name the destination.");
    }
    WaitingPlan plan = waiting.plan(fields.text("destination", LONGEST_NAME));
    return PlanId.json("outbox", action, plan.token(), "")
        .put("asOf", plan.asOf())
        .put("messages", plan.messages())
        .put("pending", plan.pending())
        .put("delayed", plan.delayed())
        .put("held", plan.held())
        .put("destination", plan.destination())
        .put("effect", waitingEffect(action, plan))
        .as(201);
  }

  @Override
  public String module() {
    return "outbox";
  }

  @Override
  public OperatorActions actions() {
    return outbox;
  }

  @Override
  public Erasure erasure() {
    return erasure;
  }

  @Override
  public Response start(
      PlanId plan, Optional<Integer> perSecond, Optional<Integer> first, String reason) {
    UUID row = plan.row();
    RedrivePace pace =
        new RedrivePace(perSecond.orElse(DeadLetterPlan.DEFAULT_RATE), first.orElse(0));
    return switch (plan.action()) {
      case REDRIVE -> ActionRunner.inBackground(outbox.redrive(row, pace, reason));
      case DISCARD -> ActionRunner.inBackground(outbox.discard(row, reason));
      case DISCARD_WAITING -> ActionRunner.inBackground(outbox.discardWaiting(row, reason));
      case CANCEL, RESEND, RESEND_AS -> run(plan, reason);
      default -> throw PlanId.refused(Why.UNKNOWN);
    };
  }

  /**
   * A plan for one message, with what it would do. A new id is made with the plan, so that the
   * message is sent at most once under it.
   */
  private Json ofOne(String action, UUID message) {
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
            .putObject("message", found.map(OutboxJson::found))
            .put("effect", found.map(it -> oneEffect(action, newId, it)).orElse(List.of()));
    return action.equals(RESEND_AS) ? plan.put("newId", newId.toString()) : plan;
  }

  private static List<String> oneEffect(String action, UUID newId, FoundMessage message) {
    boolean keyed = message.orderingKey().isPresent();
    if (action.equals(CANCEL)) {
      return new Effect()
          .say("The message is never sent: it goes to the archive as DISCARDED, for the retention.")
          .sayIf(keyed, "The messages of its ordering key are sent without it, in their order.")
          .say("If the relay is sending it at this moment, it is too late, and nothing changes.")
          .sentences();
    }
    return new Effect()
        .say(
            action.equals(RESEND)
                ? "The message is sent again under its own id: an inbox that has handled it, and"
                    + " still knows that, skips it."
                : "The message is sent again under the id %s: every receiver handles it again."
                    .formatted(newId))
        .say("It is sent without a time limit and without a delay.")
        .sayIf(keyed, "It becomes the last one of its ordering key.")
        .sentences();
  }

  private Response run(PlanId plan, String reason) {
    String[] ids = plan.detail().split("\\.", -1);
    UUID message = LetterFilters.id(ids[0]);
    UUID newId = LetterFilters.id(ids[ids.length - 1]);
    boolean changed =
        plan.action().equals(CANCEL)
            ? waiting.cancel(plan.row(), message, reason)
            : resend(plan.row(), message, newId, reason);
    Json answer = Json.object().put("changed", changed); // or it was too late
    return (changed ? answer.put("message", newId.toString()) : answer).ok();
  }

  private boolean resend(UUID plan, UUID message, UUID newId, String reason) {
    try {
      return archived.resend(plan, message, newId, reason);
    } catch (IllegalStateException there) {
      throw Problem.conflict(
          "in-outbox",
          "The message is in the outbox",
          "A message with this id is in the outbox; nothing was changed.",
          "Wait until it is sent, or resend the archived one under a new id.");
    } catch (IllegalArgumentException encrypted) {
      throw Problem.conflict(
          "encrypted",
          "The message is encrypted",
          "Its cipher text is bound to its id; nothing was changed.",
          "Resend it under its own id, or have the application enqueue it again.");
    }
  }
}
