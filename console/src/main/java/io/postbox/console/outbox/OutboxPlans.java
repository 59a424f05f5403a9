package io.postbox.console.outbox;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetters;
import io.postbox.outbox.OutboxActions;
import io.postbox.outbox.OutboxErasure;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingPlan;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_ACTION = 20;

  @Inject DeadLetters letters;
  @Inject WaitingMessages waiting;
  @Inject SingleMessages messages;
  @Inject OutboxActions outbox;
  @Inject OutboxErasure erasure;
  @Inject RequestBody body;

  /** Counts what an action would touch, and keeps the plan for it. */
  @POST
  @Requires(Role.OPERATOR)
  public Response plan() {
    Fields fields = body.fields().only("action", "filter", "destination", "id");
    String action = fields.text("action", LONGEST_ACTION);
    if (SingleMessages.ACTIONS.contains(action)) {
      return messages.plan(action, LetterFilters.id(fields.text("id", LONGEST_NAME))).as(201);
    }
    return switch (action) {
      case REDRIVE, DISCARD -> ofLetters(action, fields);
      case DISCARD_WAITING, REDIRECT -> ofWaiting(action, fields);
      default ->
          throw Problem.invalid(
                  "There is no such action; nothing was changed.",
                  "Use: "
                      + String.join(
                          ", ",
                          REDRIVE,
                          DISCARD,
                          DISCARD_WAITING,
                          REDIRECT,
                          SingleMessages.CANCEL,
                          SingleMessages.RESEND,
                          SingleMessages.RESEND_AS)
                      + ".")
              .exception();
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
        .put("destinations", Json.array(plan.destinations(), OutboxPlans::destination))
        .put("effect", action.equals(REDRIVE) ? redriveEffect(plan) : discardEffect(plan));
  }

  private static JsonObject destination(DeadLetterPlan.ForDestination each) {
    return Json.object()
        .put("destination", each.destination())
        .put("letters", each.letters())
        .put("orderingKeys", each.orderingKeys())
        .put("followers", each.followers())
        .put("expired", each.expired())
        .put("oldest", each.oldest())
        .put("newest", each.newest())
        .build();
  }

  private static List<String> redriveEffect(DeadLetterPlan plan) {
    List<String> effect = new ArrayList<>();
    effect.add(
        Numbered.sentence(
            "{# dead letter becomes pending again, with all its|# dead letters become pending"
                + " again, with all their} attempts.",
            plan.letters()));
    if (plan.followers() > 0) {
      effect.add(
          Numbered.sentence(
              "{# message waits|# messages wait} behind them; those of a key follow as soon as its"
                  + " letters were sent.",
              plan.followers()));
    }
    sayIfEstimated(plan.estimated(), effect);
    effect.add("Letters of one ordering key are sent in their order.");
    if (plan.expired() > 0) {
      effect.add(
          Numbered.sentence(
              "{# letter is past its time limit: it is|# letters are past their time limit: they"
                  + " are} sent all the same, without a limit.",
              plan.expired()));
    }
    return effect;
  }

  private static List<String> discardEffect(DeadLetterPlan plan) {
    List<String> effect = new ArrayList<>();
    effect.add(
        Numbered.sentence(
            "{# dead letter is never sent: it goes|# dead letters are never sent: they go} to the"
                + " archive as DISCARDED, for the retention.",
            plan.letters()));
    if (plan.followers() > 0) {
      effect.add(
          Numbered.sentence(
              "{# message that waits behind them is|# messages that wait behind them are} sent"
                  + " without them.",
              plan.followers()));
    }
    sayIfEstimated(plan.estimated(), effect);
    return effect;
  }

  private static void sayIfEstimated(boolean estimated, List<String> effect) {
    if (estimated) {
      effect.add("Not all of those that wait were counted: there are at least so many.");
    }
  }

  private static List<String> waitingEffect(String action, WaitingPlan plan) {
    List<String> effect = new ArrayList<>();
    if (action.equals(REDIRECT)) {
      effect.add(
          Numbered.sentence(
              "{# waiting message|# waiting messages}, and all later ones, go to the other"
                  + " destination.",
              plan.messages()));
      effect.add(
          "Each key keeps its order; there is no order relative to messages that are enqueued for"
              + " the other destination itself.");
      effect.add("It goes on until somebody ends it.");
    } else {
      effect.add(
          Numbered.sentence(
              "{# waiting message is never sent: it goes|# waiting messages are never sent: they"
                  + " go} to the archive as DISCARDED, for the retention.",
              plan.messages()));
      effect.add(
          "The relay goes on meanwhile and may send some of them first; pause the destination to"
              + " prevent that.");
    }
    sayIfEstimated(plan.estimated(), effect);
    return effect;
  }

  private Response ofWaiting(String action, Fields fields) {
    if (!fields.object("filter").names().isEmpty()) {
      throw Problem.invalid(
              "This action takes all that waits for a destination, and no filter; nothing was"
                  + " changed.",
              "Leave filter out, and name the destination.")
          .exception();
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
  public Optional<Response> start(
      PlanId plan, Optional<Integer> perSecond, Optional<Integer> first, String reason) {
    UUID row = plan.row();
    int rate = perSecond.orElse(DeadLetterPlan.DEFAULT_RATE);
    return switch (plan.action()) {
      case REDRIVE ->
          ActionRunner.inBackground(
              first.isPresent()
                  ? outbox.redriveFirst(row, rate, first.get(), reason)
                  : outbox.redrive(row, rate, reason));
      case DISCARD -> ActionRunner.inBackground(outbox.discard(row, reason));
      case DISCARD_WAITING -> ActionRunner.inBackground(outbox.discardWaiting(row, reason));
      default -> messages.run(plan, reason);
    };
  }
}
