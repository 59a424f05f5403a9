package io.postbox.console.api;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorActions;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
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
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Carries out plans in the background, and shows, pauses, resumes and cancels that. */
@Path("")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class ActionResource {
  private static final String LIST = "actions";

  @Inject @Any Instance<ActionRunner> runners;
  @Inject RequestBody body;
  @Context UriInfo address;
  @Context SecurityContext caller;

  private interface Change {
    boolean apply(OperatorActions actions, UUID id, String reason);
  }

  /** An action and whose it is. */
  private record Owned(ActionRunner runner, OperatorAction action) {
    String module() {
      return runner.module();
    }
  }

  /** Starts what a plan is for. */
  @POST
  @Path("plans/{id}/run")
  @Requires(Role.OPERATOR)
  public Response run(@PathParam("id") String id) {
    Fields how = body.fields().only("reason", "perSecond", "first");
    String reason = how.reason();
    Optional<Integer> rate = how.whole("perSecond", 1, Integer.MAX_VALUE);
    Optional<Integer> first = how.whole("first", 1, Integer.MAX_VALUE);
    PlanId plan = PlanId.of(id);
    boolean paced = rate.isPresent() || first.isPresent();
    if (paced && !plan.action().startsWith("redrive")) {
      throw Problem.invalid(
          "Only a redrive has perSecond and first; nothing was changed.", "Leave them out.");
    }
    try {
      return runners.stream()
          .filter(runner -> runner.module().equals(plan.module()))
          .findFirst()
          .map(runner -> runner.start(plan, rate, first, reason))
          .orElseThrow(() -> PlanId.refused(Why.UNKNOWN));
    } catch (IllegalArgumentException outOfBounds) {
      throw Problem.invalid(
          "The module does not take such a rate, or so many first; nothing was changed.",
          "https://github.com/postbox/postbox/blob/main/docs/console.md#actions has the"
              + " bounds.");
    } catch (IllegalStateException full) {
      throw Problem.tooManyUnfinished(
          "nothing was changed, and the plan is still valid.",
          "Wait until some have ended, or cancel some.");
    }
  }

  /** The actions of both modules, those that were started last first. */
  @GET
  @Path("actions")
  @Requires(Role.VIEWER)
  public Response list() {
    Listing list = Listing.of(address, LIST);
    int size = list.size();
    String place = list.after();
    List<Owned> found = new ArrayList<>();
    for (ActionRunner runner : runners) {
      Optional<UUID> after = lastOf(place, runner.module());
      List<OperatorAction> page =
          after.isPresent()
              ? runner.actions().list(after.get(), list.oneMore())
              : runner.actions().list(list.oneMore());
      page.forEach(action -> found.add(new Owned(runner, action)));
    }
    found.sort(
        Comparator.comparing((Owned owned) -> owned.action().startedAt())
            .reversed()
            .thenComparing(Owned::module));
    List<Owned> page = found.subList(0, Math.min(size, found.size()));
    Json answer = Json.object().put("items", page, ActionResource::json);
    if (found.size() > size) {
      answer.put("next", list.cursor(places(place, page)));
    }
    return answer.ok();
  }

  /** Where each module goes on: {@code outbox=UUID,inbox=UUID}. */
  private String places(String before, List<Owned> page) {
    List<String> places = new ArrayList<>();
    for (ActionRunner runner : runners) {
      Optional<UUID> last =
          page.stream()
              .filter(each -> each.module().equals(runner.module()))
              .reduce((one, next) -> next)
              .map(each -> each.action().id())
              .or(() -> lastOf(before, runner.module()));
      last.ifPresent(id -> places.add(runner.module() + "=" + id));
    }
    return String.join(",", places);
  }

  private static Optional<UUID> lastOf(String place, String module) {
    for (String each : place.split(",", -1)) {
      if (each.startsWith(module + "=")) {
        return PlanId.uuid(each.substring(module.length() + 1));
      }
    }
    return Optional.empty();
  }

  /** One action. */
  @GET
  @Path("actions/{id}")
  @Requires(Role.VIEWER)
  public Response one(@PathParam("id") String id) {
    return json(owned(id)).ok();
  }

  /** Pauses an action after its present step. */
  @POST
  @Path("actions/{id}/pause")
  @Requires({Role.OPERATOR, Role.ERASER})
  public Response pause(@PathParam("id") String id) {
    return change(id, OperatorActions::pause, Set.of(Role.OPERATOR, Role.ERASER));
  }

  /** Resumes an action where it stopped. */
  @POST
  @Path("actions/{id}/resume")
  @Requires({Role.OPERATOR, Role.ERASER})
  public Response resume(@PathParam("id") String id) {
    return change(id, OperatorActions::resume, Set.of(Role.ERASER));
  }

  /** Cancels an action for good; its finished steps stay done. */
  @POST
  @Path("actions/{id}/cancel")
  @Requires({Role.OPERATOR, Role.ERASER})
  public Response cancel(@PathParam("id") String id) {
    return change(id, OperatorActions::cancel, Set.of(Role.ERASER));
  }

  /**
   * Changes an action.
   *
   * @param onErasures the roles that may do this to an erasure, which destroys for good and which
   *     the law may ask for; operators may do it to all other actions
   */
  private Response change(String id, Change change, Set<Role> onErasures) {
    String reason = body.fields().only("reason").reason();
    Owned owned = owned(id);
    Set<Role> allowed = allowed(owned.action().kind(), onErasures);
    if (Role.of(caller::isUserInRole).stream().noneMatch(allowed::contains)) {
      throw Problem.forbidden(allowed.stream().sorted().toArray(Role[]::new));
    }
    return Json.object()
        .put("changed", change.apply(owned.runner().actions(), owned.action().id(), reason))
        .ok();
  }

  static Set<Role> allowed(String kind, Set<Role> onErasures) {
    return kind.equals(ErasureResource.ERASE) ? onErasures : Set.of(Role.OPERATOR);
  }

  private Owned owned(String id) {
    Optional<UUID> known = PlanId.uuid(id);
    if (known.isPresent()) {
      for (ActionRunner runner : runners) {
        Optional<OperatorAction> action = runner.actions().get(known.get());
        if (action.isPresent()) {
          return new Owned(runner, action.get());
        }
      }
    }
    throw Problem.gone("There is no action with this id any more.");
  }

  private static Json json(Owned owned) {
    OperatorAction action = owned.action();
    return Json.object()
        .put("id", action.id().toString())
        .put("module", owned.module())
        .put("kind", action.kind())
        .put("state", action.state())
        .put("principal", action.principal())
        .put("reason", action.reason())
        .put("subject", action.subject())
        .put("startedAt", action.startedAt())
        .put("changedAt", action.changedAt())
        .put("total", action.total())
        .put("done", action.done())
        .put("failedAgain", action.failures())
        .put("error", Optional.ofNullable(action.note()));
  }
}
