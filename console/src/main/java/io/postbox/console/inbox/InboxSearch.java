package io.postbox.console.inbox;

import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.api.LifeEvent;
import io.postbox.console.api.Searchable;
import io.postbox.console.http.Json;
import io.postbox.console.http.Query;
import io.postbox.console.http.Words;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.InboxAudit;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLife.Kind;
import io.postbox.inbox.MessageLookup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks up what the inbox keeps, handled messages among them. */
@ApplicationScoped
public class InboxSearch implements Searchable {
  @Inject MessageLookup lookup;
  @Inject InboxAudit trail;

  @Override
  public String module() {
    return "inbox";
  }

  @Override
  public LookupPage<Json> find(Query query, String after, int size) {
    if (Stream.of("destination", "key", "status").anyMatch(name -> query.text(name).isPresent())) {
      return NOTHING;
    }
    return Searchable.json(lookup.find(filter(query), after, size), InboxSearch::json);
  }

  private static LookupFilter filter(Query query) {
    LookupFilter filter = LookupFilter.all();
    filter = query.text("consumer").map(filter::consumer).orElse(filter);
    filter = query.text("id").map(filter::messageId).orElse(filter);
    filter = query.text("event").map(filter::event).orElse(filter);
    filter = query.text("signature").map(filter::signature).orElse(filter);
    filter = query.time("from").map(filter::from).orElse(filter);
    filter = query.time("before").map(filter::before).orElse(filter);
    return query.aggregate(filter::aggregate, filter::aggregateId).orElse(filter);
  }

  private static Json json(FoundMessage message) {
    return Json.object()
        .put(
            "where",
            message.place() == FoundMessage.Place.HANDLED ? "inbox" : Words.of(message.place()))
        .put("row", message.row())
        .put("consumer", message.consumer())
        .put("id", message.messageId())
        .put("at", message.at())
        .put("outcome", message.outcome().map(Enum::name))
        .put("status", message.status().map(Enum::name))
        .putTime("dueAt", message.dueAt())
        .put("reason", message.reason())
        .put("attempts", message.attempts())
        .put("source", message.source())
        .put("eventType", message.eventType())
        .put("aggregateType", message.aggregateType())
        .put("aggregateId", message.aggregateId())
        .put("aggregateVersion", message.aggregateVersion())
        .put("destination", message.destination())
        .put("error", message.error())
        .put("signature", message.signature())
        .putObject("headers", message.headers().map(InboxSearch::headers));
  }

  /**
   * The headers that say where a message comes from and what it concerns. Those that an application
   * handed to {@code InboxGuard} may hold anything, as payloads may, which not every viewer sees.
   */
  private static Json headers(String stored) {
    Json shown = Json.object();
    Json.read(stored)
        .asJsonObject()
        .forEach(
            (name, value) -> {
              if (!name.startsWith("header:")) {
                shown.put(name, value);
              }
            });
    return shown;
  }

  @Override
  public Life life(String id) {
    MessageLife life = lookup.life(id);
    return new Life(
        !life.rows().isEmpty() || !life.events().isEmpty(),
        life.events().stream().map(event -> event(event, life.rows())).toList(),
        life.note());
  }

  static LifeEvent event(MessageLife.Event event, List<FoundMessage> rows) {
    return new LifeEvent(
        event.at(),
        "inbox, consumer " + event.consumer(),
        event.kind(),
        event.node(),
        event
            .failure()
            .map(failed -> LifeEvent.failure(failed.attempt(), failed.error()))
            .or(event::reason),
        event
            .failure()
            .map(failed -> "#/failures/inbox/" + failed.signature())
            .or(() -> kept(event, rows)));
  }

  /** The page of the row that tells of an event, where a person can act on it. */
  private static Optional<String> kept(MessageLife.Event event, List<FoundMessage> rows) {
    String place = Words.of(event.kind() == Kind.BUFFERED ? Kind.PARKED : event.kind());
    return rows.stream()
        .filter(row -> row.place().name().equals(event.kind().name()))
        .filter(row -> row.consumer().equals(event.consumer()) && row.at().equals(event.at()))
        .flatMapToLong(row -> row.row().stream())
        .mapToObj(row -> "#/%s/%s".formatted(place, row))
        .findFirst();
  }

  @Override
  public AuditTrail audit() {
    return trail;
  }
}
