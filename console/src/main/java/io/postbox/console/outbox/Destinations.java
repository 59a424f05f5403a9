package io.postbox.console.outbox;

import io.postbox.common.Paused;
import io.postbox.common.RuntimePolicy;
import io.postbox.console.api.NamedResource;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Names;
import io.postbox.console.http.PlanId;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Requires;
import io.postbox.console.http.RetryFields;
import io.postbox.console.http.Role;
import io.postbox.console.http.Words;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxPolicies;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.OutboxPolicy.OnDeadLetter;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationThroughput;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingMessages.Redirect;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** The outbox's destinations: how much waits for each, and pauses, redirects and policies. */
@Path("")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class Destinations extends NamedResource {
  private static final String LIST = "destinations";
  private static final int LONGEST_NAME = 100;
  private static final String ON_DEAD_LETTER = "onDeadLetter";

  @Inject OutboxHalf outbox;
  @Inject RelayControl relay;
  @Inject WaitingMessages waiting;
  @Inject OutboxPolicies policies;
  @Context UriInfo address;

  /** Knows what is refused. */
  public Destinations() {
    super("destination", "Use one of the list of destinations, or define it for the server first.");
  }

  @Override
  protected void forget() {
    outbox.forget();
  }

  /**
   * The destinations that have messages or had some on this node, a pause, a redirect, a policy, an
   * open circuit or a key of the configuration, by name; or the one that is asked for, which may
   * also be known to the server alone.
   */
  @GET
  @Path("destinations")
  @Requires(Role.VIEWER)
  public Response list() {
    Listing list = Listing.of(address, LIST, "name");
    Present now = present(outbox.reports().stream().filter(OutboxNode::alive).toList());
    List<String> page =
        list.query()
            .text("name")
            .map(name -> isKnown(name) ? List.of(name) : List.<String>of())
            .orElseGet(
                () ->
                    now.names().tailSet(list.after(), false).stream()
                        .limit(list.oneMore())
                        .toList());
    return list.page(page, name -> name, now::json)
        .putObject(
            "allPaused", Optional.ofNullable(now.paused().get(RelayControl.ALL)).map(Json::of))
        .ok();
  }

  private Present present(List<OutboxNode> nodes) {
    return new Present(
        byName(outbox.destinations(), DestinationStatistics::destination),
        outbox.throughput(),
        byName(relay.paused(), Paused::name),
        byName(waiting.redirects(), Redirect::destination),
        byName(policies.list(), RuntimePolicy::name),
        nodes);
  }

  @Override
  protected boolean isKnown(String name) {
    return super.isKnown(name) || OutboxHalf.isBound(name);
  }

  @Override
  protected Set<String> known() {
    return present(outbox.reports()).names();
  }

  private static Set<String> configured() {
    Config config = ConfigProvider.getConfig();
    Set<String> names = Names.configured(config, "postbox.outbox.destination.");
    config
        .getOptionalValue("postbox.outbox.destinations", String.class)
        .ifPresent(listed -> Stream.of(listed.split(",")).map(String::strip).forEach(names::add));
    return names;
  }

  /** The destinations' numbers and settings, by name, and the nodes that report on them. */
  private record Present(
      Map<String, DestinationStatistics> counts,
      Map<String, DestinationThroughput> throughput,
      Map<String, Paused> paused,
      Map<String, Redirect> redirects,
      Map<String, RuntimePolicy<OutboxPolicy>> policies,
      List<OutboxNode> nodes) {

    NavigableSet<String> names() {
      NavigableSet<String> names = new TreeSet<>(configured());
      Stream.of(counts, throughput, paused, redirects, policies)
          .forEach(each -> names.addAll(each.keySet()));
      nodes.forEach(node -> node.breakers().forEach(each -> names.add(each.destination())));
      names.remove(RelayControl.ALL);
      return names;
    }

    Json json(String name) {
      DestinationStatistics count = counts.getOrDefault(name, DestinationStatistics.none(name));
      DestinationThroughput sent =
          throughput.getOrDefault(name, new DestinationThroughput(name, 0, 0));
      List<Json> breakers =
          nodes.stream()
              .flatMap(
                  node ->
                      node.breakers().stream()
                          .filter(each -> each.destination().equals(name))
                          .map(each -> OutboxJson.breaker(each).put("node", node.name())))
              .toList();
      return Json.object()
          .put("name", name)
          .put("pending", count.pending())
          .put("held", count.held())
          .put("delayed", count.delayed())
          .put("dead", count.dead())
          .put("oldestPendingSeconds", count.oldestPending())
          .put("estimated", count.estimated())
          .put("relayed", sent.sent())
          .put("attemptsFailed", sent.failed())
          .putObject("paused", Optional.ofNullable(paused.get(name)).map(Json::of))
          .putObject(
              "redirect",
              Optional.ofNullable(redirects.get(name))
                  .map(
                      each ->
                          Json.object()
                              .put("target", each.target())
                              .putWho(each.principal(), each.since(), each.reason())))
          .putObject("policy", Optional.ofNullable(policies.get(name)).map(Destinations::policy))
          .put("breakers", breakers, it -> it);
    }
  }

  private static Json policy(RuntimePolicy<OutboxPolicy> set) {
    return RetryFields.json(set.policy().retries())
        .put(ON_DEAD_LETTER, set.policy().onDeadLetter().map(Words::of))
        .putWho(set.principal(), set.since(), set.reason());
  }

  /** Sets the policy of a destination in place of the configuration, on all nodes. */
  @PUT
  @Path("destinations/{name}/policy")
  @Requires(Role.OPERATOR)
  public Response setPolicy(@PathParam("name") String part) {
    body.fields()
        .only("maxAttempts", "backoffFirstSeconds", "backoffMaxSeconds", ON_DEAD_LETTER, "reason");
    return setPolicy(
        part,
        (name, retries, reason) ->
            policies.set(name, new OutboxPolicy(retries, onDeadLetter()), reason));
  }

  private Optional<OnDeadLetter> onDeadLetter() {
    return body.fields()
        .optional(ON_DEAD_LETTER, LONGEST_NAME)
        .map(
            word ->
                Stream.of(OnDeadLetter.values())
                    .filter(it -> Words.of(it).equals(word))
                    .findAny()
                    .orElseThrow(
                        () ->
                            Problem.invalid(
                                "The field %s is no such word; nothing was changed."
                                    .formatted(ON_DEAD_LETTER),
                                "Use hold or continue.")));
  }

  /** Ends it. */
  @DELETE
  @Path("destinations/{name}/policy")
  @Requires(Role.OPERATOR)
  public Response endPolicy(@PathParam("name") String part) {
    return change(part, policies::reset);
  }

  /** Pauses one destination. */
  @POST
  @Path("destinations/{name}/pause")
  @Requires(Role.OPERATOR)
  public Response pause(@PathParam("name") String part) {
    return change(part, relay::pause);
  }

  /** Resumes one destination. */
  @POST
  @Path("destinations/{name}/resume")
  @Requires(Role.OPERATOR)
  public Response resume(@PathParam("name") String part) {
    return change(part, relay::resume);
  }

  /** Pauses all destinations. */
  @POST
  @Path("relay/pause")
  @Requires(Role.OPERATOR)
  public Response pauseAll() {
    return changed(relay.pauseAll(body.fields().only("reason").reason()));
  }

  /** Ends that. */
  @POST
  @Path("relay/resume")
  @Requires(Role.OPERATOR)
  public Response resumeAll() {
    return changed(relay.resumeAll(body.fields().only("reason").reason()));
  }

  /** Redirects one destination, by a plan that has counted what waits for it. */
  @POST
  @Path("destinations/{name}/redirect")
  @Requires(Role.OPERATOR)
  public Response redirect(@PathParam("name") String part) {
    String name = Names.decoded(part);
    body.fields().only("target", "plan", "reason");
    String reason = body.fields().reason();
    known(name);
    String target = known(body.fields().text("target", LONGEST_NAME));
    if (target.equals(name)) {
      throw Problem.invalid(
          "A destination cannot be redirected to itself; nothing was changed.",
          "Name another one.");
    }
    PlanId plan = PlanId.of(body.fields().text("plan", LONGEST_NAME), OutboxPlans.REDIRECT);
    waiting.redirect(plan.row(), name, target, reason);
    return changed(true);
  }

  /** Ends a redirect. */
  @DELETE
  @Path("destinations/{name}/redirect")
  @Requires(Role.OPERATOR)
  public Response endRedirect(@PathParam("name") String part) {
    return change(part, waiting::endRedirect);
  }
}
