package io.postbox.outbox.ops;

import io.postbox.common.LookupPage;
import io.postbox.common.config.Durations;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.LookupFilter.Criterion;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLife.Event;
import io.postbox.outbox.MessageLife.Kind;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.store.FailureViews;
import io.postbox.outbox.store.LookupViews;
import io.postbox.outbox.store.LookupViews.Located;
import io.postbox.outbox.store.StoredErrors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds messages wherever they are, each query in a transaction of its own. {@link MessageLookup}
 * says what the methods do. Thread-safe.
 */
public final class LookupQueries {
  private static final String WITHOUT_PENDING =
      "Pending messages are left out: they cannot be searched by %s. Name their destination, or the message's id.";

  private final OperatorCalls calls;
  private final OutboxConfig config;
  private final LookupViews lookup;
  private final FailureViews failures;

  public LookupQueries(
      Dialect dialect, OperatorCalls calls, OutboxConfig config, StoredErrors errors) {
    this.calls = calls;
    this.config = config;
    lookup = new LookupViews(config.tables(), config.partitions(), errors);
    failures = new FailureViews(dialect, config.tables(), errors);
  }

  public Optional<FoundMessage> get(UUID id) {
    return ask(connection -> lookup.one(connection, id)).map(Located::message);
  }

  public LookupPage<FoundMessage> find(LookupFilter filter, String after, int size) {
    LookupPage.checkSize(size);
    Optional<String> note = Optional.empty();
    if (LookupViews.leavesOutPending(filter)) {
      String left = WITHOUT_PENDING.formatted(filter);
      if (filter.criteria().containsKey(Criterion.STATUS)) {
        throw new IllegalArgumentException(left);
      }
      note = Optional.of(left);
    }
    return ask(connection -> lookup.page(connection, filter, after, size)).noting(note);
  }

  public LookupPage<HeldOrderingKey> heldKeys(String after, int size) {
    LookupPage.checkSize(size);
    return ask(connection -> lookup.heldKeys(connection, after, size));
  }

  /** In up to five queries. */
  public MessageLife life(UUID id) {
    return ask(
        connection -> {
          Optional<Located> found = lookup.one(connection, id);
          Optional<HeldOrderingKey> held =
              found.isPresent() ? lookup.heldKey(connection, found.get()) : Optional.empty();
          return life(id, found.map(Located::message), held, failures.history(connection, id));
        });
  }

  private MessageLife life(
      UUID id,
      Optional<FoundMessage> found,
      Optional<HeldOrderingKey> held,
      List<FailedAttempt> history) {
    List<Event> events = new ArrayList<>();
    history.forEach(
        failure ->
            events.add(
                new Event(
                    failure.at(),
                    failure.dead() ? Kind.DIED : Kind.FAILED,
                    Optional.empty(),
                    Optional.of(failure))));
    found.ifPresent(message -> add(events, message, held));
    events.sort(Comparator.comparing(Event::at));
    return new MessageLife(
        id, found, held, events, found.isPresent() ? Optional.empty() : Optional.of(note(history)));
  }

  private static void add(
      List<Event> events, FoundMessage message, Optional<HeldOrderingKey> held) {
    events.add(0, event(message.enqueuedAt(), Kind.ENQUEUED));
    held.ifPresent(
        key -> {
          boolean isHead = key.head().equals(message.id());
          Instant since =
              key.since().isAfter(message.enqueuedAt()) ? key.since() : message.enqueuedAt();
          events.add(
              new Event(
                  since,
                  isHead ? Kind.HOLDS : Kind.HELD,
                  isHead ? Optional.empty() : Optional.of(key.head()),
                  Optional.empty()));
        });
    if (message.status() == Status.DELAYED) {
      message.dueAt().ifPresent(due -> events.add(event(due, Kind.DUE)));
    }
    message
        .endedAt()
        .ifPresent(
            ended -> {
              switch (message.status()) {
                case SENT -> events.add(event(ended, Kind.SENT));
                case DISCARDED -> events.add(event(ended, Kind.DISCARDED));
                case DEAD -> {
                  if (!diedOnRecord(events)) {
                    events.add(event(ended, Kind.DIED));
                  }
                }
                case PENDING, DELAYED, HELD -> {}
              }
            });
    message.erasedAt().ifPresent(erased -> events.add(event(erased, Kind.ERASED)));
  }

  /** Whether the last recorded failure is the one with which the message died. */
  private static boolean diedOnRecord(List<Event> events) {
    return events.stream()
        .flatMap(event -> event.failure().stream())
        .max(Comparator.comparing(FailedAttempt::number))
        .filter(FailedAttempt::dead)
        .isPresent();
  }

  private static Event event(Instant at, Kind kind) {
    return new Event(at, kind, Optional.empty(), Optional.empty());
  }

  private String note(List<FailedAttempt> history) {
    String known =
        history.isEmpty()
            ? "The outbox keeps no row of this message. Either it was never enqueued here, or its transaction rolled back; or "
            : "The outbox keeps no row of this message but its failures. It was enqueued here, and ";
    if (config.relay().isCdc()) {
      return known
          + "it was left to the connector, with which rows leave in their own transaction (postbox.outbox.relay.mode=cdc).";
    }
    String age = Durations.text(config.retention().age());
    return known
        + (config.afterSending() == AfterSending.DELETE
                ? "it was sent and deleted (postbox.outbox.after-sending=delete), or discarded longer ago than the retention of %s (postbox.outbox.retention)."
                : "it was sent or discarded longer ago than the retention of %s (postbox.outbox.retention).")
            .formatted(age);
  }

  private <T> T ask(Work<T> question) {
    return calls.ask("Messages cannot be looked up", question);
  }
}
