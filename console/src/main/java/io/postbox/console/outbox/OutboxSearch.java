package io.postbox.console.outbox;

import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.api.LifeEvent;
import io.postbox.console.api.Searchable;
import io.postbox.console.http.Json;
import io.postbox.console.http.Query;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLife.Kind;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxAudit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
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
  public LookupPage<Json> find(Query query, String after, int size) {
    if (query.text("consumer").isPresent()
        || !query.text("id").map(LetterFilters::isId).orElse(true)) { // the inbox's have any form
      return NOTHING;
    }
    return Searchable.json(lookup.find(filter(query), after, size), OutboxJson::found);
  }

  private static LookupFilter filter(Query query) {
    LookupFilter filter = LetterFilters.lookup(query);
    filter = query.text("signature").map(filter::signature).orElse(filter);
    filter = query.time("from").map(filter::enqueuedFrom).orElse(filter);
    filter = query.time("before").map(filter::enqueuedBefore).orElse(filter);
    Optional<FoundMessage.Status> status =
        query.text("status").map(name -> LetterFilters.status(name, FoundMessage.Status.values()));
    return status.isPresent() ? filter.status(status.get()) : filter;
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
        life.events().stream().map(event -> event(event, where, life.message())).toList(),
        life.note());
  }

  static LifeEvent event(MessageLife.Event event, String where, Optional<FoundMessage> message) {
    Optional<String> letter =
        message
            .filter(it -> event.kind() == Kind.DIED && it.status() == FoundMessage.Status.DEAD)
            .map(it -> "#/dead-letters/" + it.id());
    Optional<String> failure =
        event.failure().map(failed -> LifeEvent.failure(failed.attempt(), failed.error()));
    return new LifeEvent(
        event.at(),
        where,
        event.kind(),
        event.failure().map(failed -> failed.node()),
        failure.or(() -> event.other().map(other -> "behind " + other)),
        letter
            .or(() -> event.failure().map(failed -> "#/failures/outbox/" + failed.signature()))
            .or(() -> event.other().map(other -> "#/messages/" + other)));
  }

  @Override
  public AuditTrail audit() {
    return trail;
  }
}
