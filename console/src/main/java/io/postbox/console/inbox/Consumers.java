package io.postbox.console.inbox;

import io.postbox.console.api.NamedResource;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Names;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Requires;
import io.postbox.console.http.RetryFields;
import io.postbox.console.http.Role;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.CaptureControl.Paused;
import io.postbox.inbox.InboxNode;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.InboxPolicies.RuntimePolicy;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
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
  protected void forgetCounts() {
    inbox.forgetCounts();
  }

  @Override
  protected void forgetSettings() {
    inbox.forgetSettings();
  }

  /** The consumers, by name: those that have counts or a policy, and those that run somewhere. */
  @GET
  @Path("consumers")
  @Requires(Role.VIEWER)
  public Response consumers() {
    Listing list = Listing.of(address, CONSUMERS);
    List<InboxNode> nodes = inbox.reports().stream().filter(InboxNode::alive).toList();
    Map<String, RuntimePolicy> set =
        policies.list().stream().collect(Collectors.toMap(RuntimePolicy::consumer, it -> it));
    Map<String, Paused> paused =
        inbox.pausedConsumers().stream().collect(Collectors.toMap(Paused::consumer, it -> it));
    TreeMap<String, ConsumerStatistics> counts = new TreeMap<>();
    names(nodes, set.keySet(), paused.keySet())
        .forEach(name -> counts.put(name, new ConsumerStatistics(name, 0, 0, 0, 0)));
    inbox.consumers().forEach(each -> counts.put(each.consumer(), each));
    List<Map.Entry<String, ConsumerStatistics>> page =
        counts.tailMap(list.after(), false).entrySet().stream().limit(list.oneMore()).toList();
    return list.page(
            page,
            Map.Entry::getKey,
            each ->
                consumer(
                    each.getValue(),
                    inbox.failures(),
                    nodes,
                    Optional.ofNullable(set.get(each.getKey())),
                    Optional.ofNullable(paused.get(each.getKey()))))
        .ok();
  }

  private static NavigableSet<String> names(
      List<InboxNode> nodes, Set<String> withPolicy, Set<String> paused) {
    TreeSet<String> names = new TreeSet<>(withPolicy);
    names.addAll(paused);
    nodes.forEach(node -> node.consumers().forEach(each -> names.add(each.consumer())));
    return names;
  }

  @Override
  protected Set<String> known() {
    NavigableSet<String> names =
        names(
            inbox.reports(),
            policies.list().stream().map(RuntimePolicy::consumer).collect(Collectors.toSet()),
            captures.paused().stream().map(Paused::consumer).collect(Collectors.toSet()));
    inbox.consumers().forEach(each -> names.add(each.consumer()));
    names.addAll(Names.configured(ConfigProvider.getConfig(), "postbox.inbox.consumer."));
    return names;
  }

  private static JsonObject consumer(
      ConsumerStatistics counts,
      Map<String, Long> failures,
      List<InboxNode> nodes,
      Optional<RuntimePolicy> policy,
      Optional<Paused> paused) {
    List<JsonObject> running =
        nodes.stream()
            .flatMap(
                node ->
                    node.consumers().stream()
                        .filter(each -> each.consumer().equals(counts.consumer()))
                        .map(
                            each ->
                                Json.object()
                                    .put("node", node.name())
                                    .put("running", each.running())
                                    .build()))
            .toList();
    return Json.object()
        .put("name", counts.consumer())
        .put("processed", counts.processed())
        .put("skipped", counts.skipped())
        .put("failures", failures.getOrDefault(counts.consumer(), 0L))
        .put("parked", counts.parked())
        .put("quarantined", counts.quarantined())
        .put("buffered", counts.buffered())
        .put("versionGaps", counts.versionGaps())
        .putValue("captured", counts.captured().map(InboxJson::captured))
        .putValue("paused", paused.map(InboxJson::pause))
        .put("running", Json.array(running, it -> it))
        .putValue(
            "policy",
            policy.map(
                set ->
                    RetryFields.json(set.policy())
                        .putWho(set.principal(), set.since(), set.reason())
                        .build()))
        .build();
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
              "Use one with mode = CAPTURE, by its name of 1 to 100 characters.")
          .exception();
    }
  }
}
