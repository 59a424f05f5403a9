package io.postbox.console.api;

import io.postbox.common.ServiceNode;
import io.postbox.console.api.ModuleView.RuntimeValue;
import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;

/** Everything at a glance: the user, the numbers of messages, and the present concerns. */
@Path("")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class OverviewResource {
  @Inject @Any Instance<ModuleView> modules;
  @Inject History history;
  @Context UriInfo address;
  @Context SecurityContext caller;

  @Resource(lookup = "java:app/AppName")
  String application = "";

  /** The first thing that the console asks for. */
  @GET
  @Path("overview")
  @Requires(Role.VIEWER)
  public Response overview() {
    Instant since =
        Query.of(address.getQueryParameters(), "since").time("since").orElse(Instant.MIN);
    Instant now = Instant.now();
    Json overview =
        Json.object()
            .put("service", service())
            .put("now", now)
            .put("node", History.NODE)
            .put("principal", caller.getUserPrincipal().getName())
            .put("roles", Role.of(caller::isUserInRole).stream().map(Role::shortName).toList());
    for (String module : List.of("outbox", "inbox")) {
      overview.put(
          module,
          modules.stream()
              .filter(view -> view.module().equals(module))
              .findFirst()
              .<JsonValue>map(ModuleView::counts)
              .orElse(JsonValue.NULL));
    }
    // One process is one node of each module, under one name.
    Map<String, Boolean> nodes = new LinkedHashMap<>();
    List<Concern> concerns = new ArrayList<>();
    for (ModuleView view : modules) {
      view.reports().forEach(node -> nodes.merge(node.name(), node.alive(), Boolean::logicalOr));
      concerns.addAll(view.concerns());
    }
    long alive = nodes.values().stream().filter(it -> it).count();
    long gone = nodes.size() - alive;
    concerns.addAll(
        Concern.some(
            Concern.of(
                Concern.Kind.GONE_NODES,
                gone,
                "Of {# node|# nodes} nothing was heard for 15 s or longer.",
                "#/nodes")));
    concerns.sort(Concern.WORST_FIRST);
    for (ModuleView view : modules) {
      overview.putObject("paused", view.paused());
    }
    return overview
        .put("nodes", Json.object().put("alive", alive).put("gone", gone))
        .put("concerns", concerns, Concern::json)
        .put("history", Json.list(history.since(since, now, modules)))
        .ok();
  }

  private String service() {
    return ConfigProvider.getConfig()
        .getOptionalValue("postbox.service", String.class)
        .orElse(application);
  }

  /** The nodes, with all that they report. */
  @GET
  @Path("nodes")
  @Requires(Role.VIEWER)
  public Response nodes() {
    Json nodes = Json.object();
    modules.forEach(view -> nodes.put(view.module(), view.nodes()));
    return nodes.ok();
  }

  /** The guarantee checks of the nodes that live: their findings, and the rules not checked. */
  @GET
  @Path("findings")
  @Requires(Role.VIEWER)
  public Response findings() {
    Findings known = Findings.read();
    List<Json> items = new ArrayList<>();
    for (ModuleView view : modules) {
      for (ServiceNode node : view.reports()) {
        if (node.alive()) {
          node.findings().forEach(id -> items.add(known.json(view.module(), node.name(), id)));
          node.notChecked()
              .forEach(
                  id ->
                      items.add(
                          known.json(view.module(), node.name(), id).put("notChecked", true)));
        }
      }
    }
    return Json.object().put("items", items, it -> it).ok();
  }

  /** Every key that Postbox knows, its value and where it comes from; and policies in its place. */
  @GET
  @Path("configuration")
  @Requires(Role.VIEWER)
  public Response configuration() {
    List<RuntimeValue> runtime = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    for (ModuleView view : modules) {
      try {
        runtime.addAll(view.runtimeValues());
      } catch (RuntimeException failed) {
        if (!view.isOwnFailure(failed)) {
          throw failed;
        }
        unread.add(view.module()); // the rest of the configuration is there without them
      }
    }
    return Json.object()
        .put("items", KnownKeys.read().json(ConfigProvider.getConfig(), runtime))
        .put("policiesNotRead", unread)
        .ok();
  }
}
