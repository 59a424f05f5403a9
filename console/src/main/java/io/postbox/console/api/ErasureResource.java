package io.postbox.console.api;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasureRefusedException;
import io.postbox.common.ErasureReport;
import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Erases personal data in both modules: plans an erasure, starts it and reports it. */
@Path("erasures")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class ErasureResource {
  static final String ERASE = "erase";
  private static final int LONGEST = 200;
  private static final int LONGEST_LIST = 40_000;
  private static final String BETWEEN_PARTS = "_";

  @Inject @Any Instance<ActionRunner> runners;
  @Inject RequestBody body;

  /** The plan of an erasure in one module. */
  private record Part(String module, ErasurePlan plan) {}

  /** Counts what an erasure would touch, in both modules, and keeps the plan for it. */
  @POST
  @Path("plans")
  @Requires(Role.ERASER)
  public Response plan() {
    ErasureTarget target = target(body.fields());
    List<Part> parts = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (ActionRunner each : modules()) {
      try {
        parts.add(new Part(each.module(), each.erasure().plan(target)));
      } catch (ErasureRefusedException cannot) { // this module has nothing like it
        notes.add("%s: %s".formatted(each.module(), cannot.getMessage()));
      }
    }
    if (parts.isEmpty()) {
      throw Problem.invalid(
          String.join(" ", notes), "Name messages, an aggregate or a data subject.");
    }
    long rows = parts.stream().mapToLong(part -> part.plan().rows()).sum();
    return Json.object()
        .put("id", id(parts.stream().map(ErasureResource::id).toList()))
        .put("action", ERASE)
        .put("expiresAt", parts.get(0).plan().token().expiresAt())
        .put("messages", rows)
        .put("subject", parts.get(0).plan().subject())
        .put("places", places(parts), it -> it)
        .put("note", notes.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", notes)))
        .put(
            "effect",
            List.of(
                Numbered.sentence(
                    "{# row is emptied or given up|# rows are emptied or given up}, for good.",
                    rows),
                "Messages that wait, are dead letters or are parked are discarded, in their place"
                    + " in the order.",
                "Ids stay: a duplicate of an erased message is still skipped.",
                "The broker, logs, backups and the application's own tables are not reached."))
        .as(201);
  }

  private static ErasureTarget target(Fields all) {
    Fields fields = all.only("messages", "aggregateType", "aggregateId", "dataSubject");
    Optional<String> messages = fields.optional("messages", LONGEST_LIST);
    Optional<String> person = fields.optional("dataSubject", LONGEST);
    Optional<String> type = fields.optional("aggregateType", LONGEST);
    if (Stream.of(messages, person, type).filter(Optional::isPresent).count() != 1) {
      throw Problem.invalid(
          "An erasure is about messages, an aggregate or a data subject; nothing was changed.",
          "Give messages, or aggregateType and aggregateId, or dataSubject.");
    }
    try {
      if (messages.isPresent()) {
        return ErasureTarget.messages(
            Arrays.stream(messages.get().strip().split("[\\s,]+", -1))
                .filter(id -> !id.isEmpty())
                .toList());
      }
      return type.isPresent()
          ? ErasureTarget.aggregate(type.get(), fields.text("aggregateId", LONGEST))
          : ErasureTarget.dataSubject(person.orElseThrow());
    } catch (ErasureRefusedException outOfBounds) {
      throw Problem.invalid(
          outOfBounds.getMessage() + "; nothing was changed.", "Give it within these bounds.");
    }
  }

  private static List<Json> places(List<Part> parts) {
    return parts.stream()
        .flatMap(
            part ->
                part.plan().places().stream()
                    .map(
                        found ->
                            Json.object()
                                .put("module", part.module())
                                .put("place", found.place())
                                .put("rows", found.rows())
                                .put("complete", found.complete())))
        .toList();
  }

  /** Starts the erasure in each module, as planned. */
  @POST
  @Path("plans/{id}/run")
  @Requires(Role.ERASER)
  public Response run(@PathParam("id") String id) {
    String reason = body.fields().only("reason").reason(); // before the plan is used up
    List<String> left = new ArrayList<>(List.of(id.split(BETWEEN_PARTS, -1)));
    List<PlanId> planned = left.stream().map(part -> PlanId.of(part, ERASE)).toList();
    List<Json> started = new ArrayList<>();
    for (ActionRunner each : modules()) {
      for (PlanId part : planned) {
        if (part.module().equals(each.module())) {
          started.add(start(each, part, reason, left));
          left.remove(part.toString());
        }
      }
    }
    return Json.object().put("actions", started, it -> it).as(202);
  }

  private static String id(Part part) {
    return new PlanId(part.module(), ERASE, part.plan().token().id(), "").toString();
  }

  /** The id by which pages name the plans of several modules. */
  private static String id(List<String> parts) {
    return String.join(BETWEEN_PARTS, parts);
  }

  private static Json start(ActionRunner module, PlanId part, String reason, List<String> left) {
    try {
      OperatorAction action = module.erasure().erase(part.row(), reason);
      return Json.object().put("module", part.module()).put("action", action.id().toString());
    } catch (IllegalStateException full) {
      throw Problem.tooManyUnfinished(
          "nothing is erased in the %s yet; where the erasure began, it goes on. The plan for the rest is %s."
              .formatted(part.module(), id(left)),
          "Wait until some have ended, or cancel some; then run that plan.");
    }
  }

  /** The progress of an erasure. */
  @GET
  @Path("{id}")
  @Requires(Role.VIEWER)
  public Response report(@PathParam("id") String id) {
    Optional<UUID> known = PlanId.uuid(id);
    for (ActionRunner each : modules()) {
      Optional<ErasureReport> report = known.flatMap(it -> each.erasure().report(it));
      if (report.isPresent()) {
        return Json.object()
            .put("id", report.get().action().id().toString())
            .put("module", each.module())
            .put("state", report.get().action().state())
            .put("subject", report.get().action().subject())
            .put(
                "places",
                report.get().places(),
                erased -> Json.object().put("place", erased.place()).put("rows", erased.rows()))
            .ok();
      }
    }
    throw Problem.gone("There is no erasure with this id any more.");
  }

  private List<ActionRunner> modules() {
    return runners.stream().sorted(Comparator.comparing(ActionRunner::module).reversed()).toList();
  }
}
