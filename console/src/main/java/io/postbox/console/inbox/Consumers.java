package io.postbox.console.inbox;

import io.postbox.common.Paused;
import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.console.api.NamedResource;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Names;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Requires;
import io.postbox.console.http.RetryFields;
import io.postbox.console.http.Role;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
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
import java.util.function.BiPredicate;
import org.eclipse.microprofile.config.ConfigProvider;

/** The inbox's consumers, their policies, and the pauses of their captured messages. */
@Path("")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class Consumers extends NamedResource {
  private static final String CONSUMERS = "consumers";

  @Inject InboxHalf inbox;
  @Inject InboxPolicies policies;
  @Inject CaptureControl captures;
  @Context UriInfo address;

  /** Knows what is refused. */
  public Consumers() {
    super("consumer", "Use one of the list of consumers.");
  }

  @Override
  protected void forget() {
    inbox.forget();
  }

  /** The consumers, by name: those that have counts or a policy, and those that run somewhere. */
  @GET
  @Path("consumers")
  @Requires(Role.VIEWER)
  public Response consumers() {
    Listing list = Listing.of(address, CONSUMERS);
    Present now =
        present(
            inbox.reports().stream().filter(InboxNode::alive).toList(), inbox.pausedConsumers());
    List<String> page =
        now.names().tailSet(list.after(), false).stream().limit(list.oneMore()).toList();
    return list.page(page, name -> name, now::json).ok();
  }

  private Present present(List<InboxNode> nodes, List<Paused> paused) {
    return new Present(
        byName(inbox.consumers(), ConsumerStatistics::consumer),
        inbox.failures(),
        byName(policies.list(), RuntimePolicy::name),
        byName(paused, Paused::name),
        nodes);
  }

  @Override
  protected Set<String> known() {
    NavigableSet<String> names = present(inbox.reports(), captures.paused()).names();
    names.addAll(Names.configured(ConfigProvider.getConfig(), "postbox.inbox.consumer."));
    return names;
  }

  /** The consumers' numbers and settings, by name, and the nodes on which they run. */
  private record Present(
      Map<String, ConsumerStatistics> counts,
      Map<String, Long> failures,
      Map<String, RuntimePolicy<RetryPolicy>> policies,
      Map<String, Paused> paused,
      List<InboxNode> nodes) {

    NavigableSet<String> names() {
      NavigableSet<String> names = new TreeSet<>(counts.keySet());
      names.addAll(policies.keySet());
      names.addAll(paused.keySet());
      nodes.forEach(node -> node.consumers().forEach(each -> names.add(each.consumer())));
      return names;
    }

    Json json(String name) {
      ConsumerStatistics count =
          counts.getOrDefault(name, new ConsumerStatistics(name, 0, 0, 0, 0));
      List<Json> running =
          nodes.stream()
              .flatMap(
                  node ->
                      node.consumers().stream()
                          .filter(each -> each.consumer().equals(name))
                          .map(
                              each ->
                                  Json.object()
                                      .put("node", node.name())
                                      .put("running", each.running())))
              .toList();
      return Json.object()
          .put("name", name)
          .put("processed", count.processed())
          .put("skipped", count.skipped())
          .put("failures", failures.getOrDefault(name, 0L))
          .put("parked", count.parked())
          .put("quarantined", count.quarantined())
          .put("buffered", count.buffered())
          .put("versionGaps", count.versionGaps())
          .putObject("captured", count.captured().map(InboxJson::captured))
          .putObject("paused", Optional.ofNullable(paused.get(name)).map(Json::of))
          .put("running", running, it -> it)
          .putObject(
              "policy",
              Optional.ofNullable(policies.get(name))
                  .map(
                      set ->
                          RetryFields.json(set.policy())
                              .putWho(set.principal(), set.since(), set.reason())));
    }
  }

  /** Sets the policy of a consumer in place of the configuration, on all nodes. */
  @PUT
  @Path("consumers/{name}/policy")
  @Requires(Role.OPERATOR)
  public Response setPolicy(@PathParam("name") String part) {
    body.fields().only("maxAttempts", "backoffFirstSeconds", "backoffMaxSeconds", "reason");
    return setPolicy(part, policies::set);
  }

  /** Ends it. */
  @DELETE
  @Path("consumers/{name}/policy")
  @Requires(Role.OPERATOR)
  public Response endPolicy(@PathParam("name") String part) {
    return change(part, policies::reset);
  }

  /** Pauses the handling of a consumer's captured messages. */
  @POST
  @Path("consumers/{name}/pause")
  @Requires(Role.OPERATOR)
  public Response pause(@PathParam("name") String part) {
    return switched(part, captures::pause);
  }

  /** Resumes it. */
  @POST
  @Path("consumers/{name}/resume")
  @Requires(Role.OPERATOR)
  public Response resume(@PathParam("name") String part) {
    return switched(part, captures::resume);
  }

  private Response switched(String part, BiPredicate<String, String> change) {
    try {
      return change(part, change);
    } catch (IllegalArgumentException refused) {
      throw Problem.invalid(
          "This is no consumer whose captured messages can be paused; nothing was changed.",
          "Use one with mode = CAPTURE, by its name of 1 to 100 characters.");
    }
  }
}
