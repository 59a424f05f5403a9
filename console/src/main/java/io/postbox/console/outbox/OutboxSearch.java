package io.postbox.console.outbox;

import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.api.Found;
import io.postbox.console.api.LifeEvent;
import io.postbox.console.api.Searchable;
import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.console.http.Query;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxAudit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Looks up the outbox's messages, the archive's among them. */
@ApplicationScoped
public class OutboxSearch implements Searchable {
  @Inject MessageLookup lookup;
  @Inject OutboxAudit trail;

  @Override
  public String module() {
    return "outbox";
  }

  @Override
  public Found find(Query query, String after, int size) {
    if (query.text("consumer").isPresent() || isOther(query.text("id"))) {
      return Found.NOTHING;
    }
    LookupPage<FoundMessage> page = lookup.find(filter(query), after, size);
    return new Found(
        page.items().stream().map(OutboxSearch::json).toList(), page.next(), page.note());
  }

  /** The inbox's ids may have any form. */
  private static boolean isOther(Optional<String> id) {
    return id.isPresent() && !LetterFilters.isId(id.get());
  }

  private static LookupFilter filter(Query query) {
    LookupFilter filter = LookupFilter.all();
    filter = query.text("destination").map(filter::destination).orElse(filter);
    filter = query.text("event").map(filter::event).orElse(filter);
    filter = query.text("key").map(filter::orderedBy).orElse(filter);
    filter = query.text("signature").map(filter::signature).orElse(filter);
    filter = query.time("from").map(filter::enqueuedFrom).orElse(filter);
    filter = query.time("before").map(filter::enqueuedBefore).orElse(filter);
    filter = query.text("id").map(LetterFilters::id).map(filter::id).orElse(filter);
    Optional<FoundMessage.Status> status = query.text("status").map(OutboxSearch::status);
    filter = status.isPresent() ? filter.status(status.get()) : filter;
    return query.aggregate(filter::aggregate, filter::aggregateId).orElse(filter);
  }

  private static FoundMessage.Status status(String name) {
    List<String> names = new ArrayList<>();
    for (FoundMessage.Status each : FoundMessage.Status.values()) {
      if (each.name().equals(name)) {
        return each;
      }
      names.add(each.name());
    }
    throw Problem.invalid("There is no such status.", "Use: " + String.join(", ", names) + ".")
        .exception();
  }

  private static JsonObject json(FoundMessage message) {
    return Json.object()
        .put("where", message.archived() ? "archive" : "outbox")
        .put("seq", message.seq())
        .put("id", message.id().toString())
        .put("status", message.status())
        .put("destination", message.destination())
        .put("orderingKey", message.orderingKey())
        .put("aggregateType", message.aggregateType())
        .put("aggregateId", message.aggregateId())
        .put("eventType", message.eventType())
        .put("schemaVersion", message.schemaVersion())
        .put("contentType", message.contentType())
        .put("traceParent", message.traceParent())
        .put("attempts", message.attempts())
        .put("at", message.endedAt().orElse(message.enqueuedAt()))
        .put("enqueuedAt", message.enqueuedAt())
        .putTime("dueAt", message.dueAt())
        .putTime("expiresAt", message.expiresAt())
        .putTime("endedAt", message.endedAt())
        .put("lastError", message.lastError())
        .put("signature", message.signature())
        .build();
  }

  @Override
  public Life life(String id) {
    if (!LetterFilters.isId(id)) {
      return Life.UNKNOWN;
    }
    MessageLife life = lookup.life(UUID.fromString(id));
    String where =
        life.message().map(message -> "outbox, to " + message.destination()).orElse("outbox");
    return new Life(
        life.message().isPresent() || !life.events().isEmpty(),
        life.events().stream().map(event -> event(event, where)).toList(),
        life.note());
  }

  private static LifeEvent event(MessageLife.Event event, String where) {
    Optional<String> failure =
        event.failure().map(failed -> LifeEvent.failure(failed.attempt(), failed.error()));
    return new LifeEvent(
        event.at(),
        where,
        event.kind(),
        event.failure().map(failed -> failed.node()),
        failure.or(() -> event.other().map(other -> "behind " + other)),
        event
            .failure()
            .map(failed -> "#/failures/outbox/" + failed.signature())
            .or(() -> event.other().map(other -> "#/messages/" + other)));
  }

  @Override
  public AuditTrail audit() {
    return trail;
  }
}
