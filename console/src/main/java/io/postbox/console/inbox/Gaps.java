package io.postbox.console.inbox;

import io.postbox.console.http.Effect;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.VersionGaps;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.stream.Collectors;

/** The gaps in the order of versions, and plans to skip them. */
@Path("inbox")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class Gaps {
  static final String SKIP = "skip";

  private static final String GAPS = "gaps";
  private static final String[] FILTER = {"consumer", "aggregateType", "aggregateId", "before"};
  private static final int MOST_NAMED = 10;
  private static final int LONGEST_WORD = 20;

  @Inject VersionGaps gaps;
  @Inject RequestBody body;
  @Context UriInfo address;

  /** Gaps by consumer, of each consumer the longest missing first. */
  @GET
  @Path("gaps")
  @Requires(Role.VIEWER)
  public Response list() {
    Listing list = Listing.of(address, GAPS, FILTER);
    try {
      return list.page(gaps.find(filter(list.query()), list.after(), list.size()), Gaps::json).ok();
    } catch (IllegalArgumentException notOurs) {
      throw Listing.notOurs();
    }
  }

  /** Says which gaps a skip would close, and keeps the plan for it. */
  @POST
  @Path("gap-plans")
  @Requires(Role.OPERATOR)
  public Response plan() {
    Fields fields = body.fields().only("action", "filter");
    if (!fields.text("action", LONGEST_WORD).equals(SKIP)) {
      throw Problem.invalid("There is no such action; nothing was changed.", "Use: skip.");
    }
    GapPlan plan = gaps.plan(filter(Query.of(fields.object("filter"), FILTER)));
    return PlanId.json("inbox", SKIP, plan.token(), "")
        .put("messages", plan.gaps().stream().mapToLong(VersionGap::waiting).sum())
        .put("gaps", plan.gaps(), Gaps::json)
        .put("effect", effect(plan))
        .as(201);
  }

  private static GapFilter filter(Query query) {
    GapFilter filter = GapFilter.all();
    filter = query.text("consumer").map(filter::consumer).orElse(filter);
    filter = query.time("before").map(filter::missingBefore).orElse(filter);
    return query.aggregate(filter::aggregate).orElse(filter);
  }

  private static List<String> effect(GapPlan plan) {
    Effect effect = new Effect();
    for (VersionGap gap : plan.gaps().subList(0, Math.min(MOST_NAMED, plan.gaps().size()))) {
      effect.say(
          "'%s' gives up the versions %s of %s/%s, and handles version %s next."
              .formatted(
                  gap.consumer(),
                  gap.missingVersions(),
                  gap.aggregateType(),
                  gap.aggregateId(),
                  gap.firstWaiting()));
    }
    effect
        .sayIfAny(
            plan.gaps().size() - MOST_NAMED, "So it is with {# more aggregate|# more aggregates}.")
        .sayIfAny(
            plan.gaps().stream().mapToLong(gap -> gap.kept().size()).sum(),
            "{# of these versions is|# of these versions are} parked, and can be redriven"
                + " instead.");
    for (VersionGap gap : plan.gaps()) {
      if (!gap.here().isEmpty()) {
        effect.say(
            "Of %s/%s these are here, and are skipped without being handled: %s."
                .formatted(
                    gap.aggregateType(),
                    gap.aggregateId(),
                    gap.here().stream().map(String::valueOf).collect(Collectors.joining(", "))));
      }
    }
    return effect
        .say("A message with a skipped version that comes later is skipped as stale.")
        .say("A gap that changes before the skip is left alone.")
        .sentences();
  }

  private static Json json(VersionGap gap) {
    return Json.object()
        .put("consumer", gap.consumer())
        .put("aggregateType", gap.aggregateType())
        .put("aggregateId", gap.aggregateId())
        .put("lastHandled", gap.lastHandled())
        .put("firstWaiting", gap.firstWaiting())
        .put("missing", gap.missingVersions())
        .put("waiting", gap.waiting())
        .put("missingSince", gap.missingSince())
        .put("kept", gap.kept().stream().map(String::valueOf).toList())
        .put("here", gap.here().stream().map(VersionGap.Here::toString).toList());
  }
}
