package io.postbox.console.inbox;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorActions;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.RedrivePace;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.http.Effect;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.console.http.Words;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.InboxErasure;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.QuarantinedMessages;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGaps;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Says in numbers what an action on the messages that the inbox keeps would do, and carries it out.
 */
@Path("inbox/plans")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class InboxPlans implements ActionRunner {
  static final String REDRIVE = "redrive";
  static final String REDRIVE_WITHOUT_REPLIES = "redrive-without-replies";
  static final String DISCARD = "discard";
  static final String HOLD = "hold";

  private static final int LONGEST_WORD = 20;

  @Inject ParkedMessages parked;
  @Inject QuarantinedMessages quarantined;
  @Inject InboxActions inbox;
  @Inject InboxErasure erasure;
  @Inject VersionGaps gaps;
  @Inject RequestBody body;

  /** Counts what an action would touch, and keeps the plan for it. */
  @POST
  @Requires(Role.OPERATOR)
  public Response plan() {
    Fields fields = body.fields().only("kind", "action", "filter", "replies");
    KeptPlan.Kind kind = one(KeptPlan.Kind.values(), "kind", fields.text("kind", LONGEST_WORD));
    String action = fields.text("action", LONGEST_WORD);
    if (!List.of(REDRIVE, DISCARD, HOLD).contains(action)) {
      throw Problem.invalid(
          "There is no such action; nothing was changed.", "Use: redrive, discard, hold.");
    }
    ReplyOnRedrive replies =
        fields
            .optional("replies", LONGEST_WORD)
            .map(name -> one(ReplyOnRedrive.values(), "replies", name))
            .orElse(ReplyOnRedrive.KEEP);
    Fields filter = fields.object("filter");
    KeptPlan plan =
        kind == KeptPlan.Kind.PARKED
            ? parked.plan(KeptFilters.of(Query.of(filter, KeptFilters.PARKED)))
            : quarantined.plan(KeptFilters.of(Query.of(filter, KeptFilters.QUARANTINED)));
    return json(action, plan, replies).as(201);
  }

  private static <E extends Enum<E>> E one(E[] all, String field, String name) {
    return Words.one(
        all,
        Words::of,
        name,
        "The field %s has no such value; nothing was changed.".formatted(field));
  }

  static Json json(String action, KeptPlan plan, ReplyOnRedrive replies) {
    return PlanId.json("inbox", word(action, replies), plan.token(), "")
        .put("action", action)
        .put("kind", Words.of(plan.kind()))
        .put("messages", plan.messages())
        .put("replies", Words.of(replies))
        .put(
            "consumers",
            plan.consumers(),
            each ->
                Json.object()
                    .put("consumer", each.consumer())
                    .put("messages", each.messages())
                    .put("oldest", each.oldest())
                    .put("newest", each.newest()))
        .put("effect", effect(action, plan, replies));
  }

  /** The action in the id of a plan; it has what the redrive does with reply-tos. */
  private static String word(String action, ReplyOnRedrive replies) {
    return action.equals(REDRIVE) && replies == ReplyOnRedrive.DROP
        ? REDRIVE_WITHOUT_REPLIES
        : action;
  }

  static List<String> effect(String action, KeptPlan plan, ReplyOnRedrive replies) {
    long count = plan.messages();
    boolean parked = plan.kind() == KeptPlan.Kind.PARKED;
    if (action.equals(DISCARD)) {
      return List.of(
          Numbered.sentence(
              "The content of {# message|# messages} is deleted; nobody can bring it back.", count),
          parked
              ? "Their ids are remembered as DISCARDED, so that a late copy is skipped."
              : "Deliveries of the same kind are quarantined again.");
    }
    if (action.equals(HOLD)) {
      return List.of(
          Numbered.sentence(
              "{If it is still retried by itself, it is|Those that are still retried by themselves"
                  + " are} parked as HELD, and not retried any more until somebody redrives"
                  + " {it|them}.",
              count));
    }
    return new Effect()
        .say(
            count,
            parked
                ? "{# message is sent to its consumer again, with all its|# messages are sent to"
                    + " their consumers again, with all their} attempts."
                : "{# delivery is sent to its consumer under a new id, and handled as a message of"
                    + " its own: check first that it does|# deliveries are sent to their consumers"
                    + " under new ids, and handled as messages of their own: check first that they"
                    + " do} not report what was handled already.")
        .say(
            count,
            replies == ReplyOnRedrive.KEEP
                ? "{It keeps the reply-to that its sender has|They keep the reply-to that their"
                    + " senders have} chosen."
                : "{It loses the reply-to that its sender has|They lose the reply-to that their"
                    + " senders have} chosen: no reply is sent.")
        .say(
            count,
            "{If it cannot be sent, it stays.|A message that cannot be sent stays, and the others"
                + " go on.}")
        .sentences();
  }

  @Override
  public String module() {
    return "inbox";
  }

  @Override
  public OperatorActions actions() {
    return inbox;
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
        new RedrivePace(perSecond.orElse(OperatorActions.HIGHEST_RATE), first.orElse(0));
    return switch (plan.action()) {
      case REDRIVE ->
          ActionRunner.inBackground(inbox.redrive(row, ReplyOnRedrive.KEEP, pace, reason));
      case REDRIVE_WITHOUT_REPLIES ->
          ActionRunner.inBackground(inbox.redrive(row, ReplyOnRedrive.DROP, pace, reason));
      case DISCARD -> ActionRunner.inBackground(inbox.discard(row, reason));
      case HOLD -> ActionRunner.inBackground(inbox.hold(row, reason));
      case Gaps.SKIP -> {
        SkippedGaps done = gaps.skip(row, reason);
        yield Json.object().put("skipped", done.skipped()).put("leftAlone", done.changed()).ok();
      }
      default -> throw PlanId.refused(Why.UNKNOWN);
    };
  }
}
