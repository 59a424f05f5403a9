package io.postbox.console.api;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.text.Storable;
import io.postbox.console.http.Json;
import io.postbox.console.http.Listing;
import io.postbox.console.http.Names;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.console.http.Requires;
import io.postbox.console.http.Role;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Looks up messages and what people did, in both modules: first the outbox's, then the inbox's. */
@Path("")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@RequestScoped
public class SearchResource {
  private static final String MESSAGES = "messages";
  private static final String AUDIT = "audit";
  private static final int LONGEST_ID = 200;

  @Inject @Any Instance<Searchable> modules;
  @Context UriInfo address;

  /** Messages wherever a row of them is kept. */
  @GET
  @Path("messages")
  @Requires(Role.VIEWER)
  public Response messages() {
    Listing list =
        Listing.of(
            address,
            MESSAGES,
            "id",
            "aggregateType",
            "aggregateId",
            "key",
            "event",
            "destination",
            "consumer",
            "status",
            "signature",
            "from",
            "before");
    return pages(
        list, searched(), (module, after) -> module.find(list.query(), after, list.size()));
  }

  /** The life of one message, in order of time. */
  @GET
  @Path("messages/{id}")
  @Requires(Role.VIEWER)
  public Response life(@PathParam("id") String part) {
    String id = Names.decoded(part);
    if (id.isBlank() || id.length() > LONGEST_ID || !Storable.isText(id)) {
      throw Problem.invalid(
          "The id of a message has 1 to %s characters, none of them NUL.".formatted(LONGEST_ID),
          "Take it from a list.");
    }
    return life(id, searched())
        .orElseThrow(
            () ->
                Problem.nothing(
                    "No row is kept of a message with this id. A message that was sent is"
                        + " deleted, unless postbox.outbox.after-sending says otherwise; the"
                        + " inbox forgets ids after its retention.",
                    "Look for it by its aggregate, its ordering key or the time."))
        .ok();
  }

  /** What the modules that know a message say of it; a module that does not has nothing to say. */
  static Optional<Json> life(String id, List<Searchable> modules) {
    List<Searchable.Life> lives =
        modules.stream().map(module -> module.life(id)).filter(Searchable.Life::known).toList();
    if (lives.isEmpty()) {
      return Optional.empty();
    }
    List<LifeEvent> events =
        lives.stream()
            .flatMap(life -> life.events().stream())
            .sorted(Comparator.comparing(LifeEvent::at))
            .toList();
    return Optional.of(
        Json.object()
            .put("id", id)
            .put("note", joined(lives.stream().flatMap(life -> life.note().stream()).toList()))
            .put("events", events, LifeEvent::json));
  }

  /** The actions of people, newest first in each module's table. */
  @GET
  @Path("audit")
  @Requires(Role.VIEWER)
  public Response audit() {
    Listing list = Listing.of(address, AUDIT, "from", "before", "principal", "action", "module");
    Query query = list.query();
    AuditFilter filter = AuditFilter.all();
    filter = query.time("from").map(filter::from).orElse(filter);
    filter = query.time("before").map(filter::before).orElse(filter);
    filter = query.text("principal").map(filter::principal).orElse(filter);
    filter = query.text("action").map(filter::action).orElse(filter);
    filter = query.text("module").map(filter::module).orElse(filter);
    AuditFilter chosen = filter;
    List<Searchable> tables = searched();
    if (tables.size() > 1 && shareTheirTables(ConfigProvider.getConfig())) {
      tables = tables.subList(0, 1); // it lists the entries of both
    }
    return pages(
        list,
        tables,
        (module, after) ->
            Searchable.json(
                module.audit().find(chosen, after, list.size()), SearchResource::entry));
  }

  private static Json entry(AuditEntry entry) {
    return Json.object()
        .put("id", entry.id().toString())
        .put("at", entry.at())
        .put("module", entry.module())
        .put("service", entry.service())
        .put("action", entry.action())
        .put("principal", entry.principal())
        .put("reason", entry.reason())
        .put("subject", entry.subject())
        .put("messages", entry.messages());
  }

  /** Both modules have one {@code postbox_audit} if their tables are in one place. */
  static boolean shareTheirTables(Config config) {
    return List.of("data-source", "schema", "table-prefix").stream()
        .allMatch(
            key ->
                config
                    .getOptionalValue("postbox.outbox." + key, String.class)
                    .equals(config.getOptionalValue("postbox.inbox." + key, String.class)));
  }

  private static Optional<String> joined(List<String> notes) {
    return notes.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", notes));
  }

  private List<Searchable> searched() {
    return modules.stream().sorted(Comparator.comparing(Searchable::module).reversed()).toList();
  }

  private interface Search {
    LookupPage<Json> page(Searchable module, String after);
  }

  /** A page of one module; behind its last one comes the first one of the next module. */
  private static Response pages(Listing list, List<Searchable> modules, Search search) {
    String place = list.after();
    String module = place.contains(":") ? place.substring(0, place.indexOf(':')) : "";
    String after = place.substring(place.indexOf(':') + 1);
    List<Searchable> left =
        modules.stream().dropWhile(it -> !module.isEmpty() && !it.module().equals(module)).toList();
    List<Json> items = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Optional<String> next = Optional.empty();
    for (Searchable each : left) {
      if (!items.isEmpty()) {
        next = Optional.of(each.module() + ":");
        break;
      }
      LookupPage<Json> found = search.page(each, after);
      items.addAll(found.items());
      found.note().ifPresent(notes::add);
      next = found.next().map(it -> each.module() + ":" + it);
      if (next.isPresent()) {
        break;
      }
      after = "";
    }
    return Json.object()
        .put("items", items, it -> it)
        .put("next", next.map(list::cursor))
        .put("note", joined(notes))
        .ok();
  }
}
