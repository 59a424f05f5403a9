package io.postbox.inbox.ops;

import io.postbox.common.LookupPage;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Outcome;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.LookupFilter.Criterion;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLife.Event;
import io.postbox.inbox.MessageLife.Kind;
import io.postbox.inbox.MessageLookup;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.LookupViews;
import io.postbox.inbox.store.LookupViews.Begun;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds messages wherever they are, each query in a transaction of its own. {@link MessageLookup}
 * says what the methods do. Thread-safe.
 */
public final class LookupQueries {
  /** What is not so while they cannot be read. */
  public static final String PROBLEM = "Messages cannot be looked up";

  private final OperatorCalls calls;
  private final InboxConfig config;
  private final KeptContents contents;

  public LookupQueries(OperatorCalls calls, InboxConfig config, KeptContents contents) {
    this.calls = calls;
    this.config = config;
    this.contents = contents;
  }

  public Optional<FoundMessage> handled(String consumer, String messageId) {
    LookupFilter filter =
        LookupFilter.all().place(Place.HANDLED).consumer(consumer).messageId(messageId);
    return ask(connection -> views(connection).page(connection, filter, "", 1)).items().stream()
        .findAny();
  }

  public LookupPage<FoundMessage> find(LookupFilter filter, String after, int size) {
    LookupPage.checkSize(size);
    Set<Place> leftOut = LookupViews.leftOut(filter);
    Optional<String> note =
        leftOut.isEmpty() ? Optional.empty() : Optional.of(note(filter, leftOut));
    if (note.isPresent() && filter.criteria().containsKey(Criterion.PLACE)) {
      throw new IllegalArgumentException(note.get());
    }
    return ask(connection -> views(connection).page(connection, filter, after, size)).noting(note);
  }

  private static String note(LookupFilter filter, Set<Place> leftOut) {
    return "The inbox cannot be searched for these by %s, and they are left out: %s. Handled messages are found by their id, or by consumer and time."
        .formatted(
            filter,
            leftOut.stream()
                .map(place -> place.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")));
  }

  public LookupPage<FailedAttempt> failures(LookupFilter filter, String after, int size) {
    LookupPage.checkSize(size);
    return ask(connection -> views(connection).failures(connection, filter, after, size));
  }

  public MessageLife life(Optional<String> consumer, String messageId) {
    LookupFilter filter = LookupFilter.all().messageId(messageId);
    LookupFilter one = consumer.isPresent() ? filter.consumer(consumer.get()) : filter;
    return ask(
        connection -> {
          LookupViews views = views(connection);
          List<Begun> begun = views.attempts(connection, consumer, messageId);
          List<FailedAttempt> failures =
              views.failures(connection, one, "", LookupPage.LARGEST).items();
          List<FoundMessage> rows = views.page(connection, one, "", LookupPage.LARGEST).items();
          return life(messageId, begun, failures, rows);
        });
  }

  private static MessageLife life(
      String messageId, List<Begun> begun, List<FailedAttempt> failures, List<FoundMessage> rows) {
    List<Event> events = new ArrayList<>();
    begun.forEach(
        it -> events.add(onNode(it.at(), Kind.BEGUN, it.consumer(), it.node(), Optional.empty())));
    failures.forEach(
        it -> events.add(onNode(it.at(), Kind.FAILED, it.consumer(), it.node(), Optional.of(it))));
    for (FoundMessage row : rows) {
      row.dueAt().ifPresent(due -> events.add(event(due, Kind.DUE, row, Optional.empty())));
      events.add(
          event(row.at(), kind(row), row, row.reason().or(() -> row.status().map(Enum::name))));
      row.erasedAt()
          .ifPresent(erased -> events.add(event(erased, Kind.ERASED, row, Optional.empty())));
    }
    events.sort(Comparator.comparing(Event::at));
    boolean handled = rows.stream().anyMatch(row -> row.place() == Place.HANDLED);
    return new MessageLife(
        messageId, rows, events, handled ? Optional.empty() : Optional.of(note(rows, events)));
  }

  private static Event onNode(
      Instant at, Kind kind, String consumer, String node, Optional<FailedAttempt> failure) {
    return new Event(at, kind, consumer, Optional.of(node), Optional.empty(), failure);
  }

  private static Event event(Instant at, Kind kind, FoundMessage row, Optional<String> reason) {
    return new Event(at, kind, row.consumer(), Optional.empty(), reason, Optional.empty());
  }

  private static Kind kind(FoundMessage row) {
    return switch (row.place()) {
      case PARKED -> Kind.PARKED;
      case BUFFERED -> Kind.BUFFERED;
      case QUARANTINED -> Kind.QUARANTINED;
      case CAPTURED -> Kind.CAPTURED;
      case RETRIED -> Kind.RETRIED;
      case HANDLED ->
          switch (row.outcome().orElse(Outcome.PROCESSED)) {
            case PROCESSED -> Kind.PROCESSED;
            case STALE -> Kind.STALE;
            case DISCARDED -> Kind.DISCARDED;
          };
    };
  }

  private static String note(List<FoundMessage> rows, List<Event> events) {
    if (rows.stream().anyMatch(row -> row.place() == Place.PARKED)) {
      return "It is parked and not handled: it waits until somebody redrives or discards it.";
    }
    if (rows.stream().anyMatch(row -> row.place() == Place.QUARANTINED)) {
      return "It is in quarantine and not handled: it waits until somebody releases or discards it.";
    }
    if (rows.stream().anyMatch(row -> row.place() == Place.CAPTURED)) {
      return "It is captured and not handled yet: PENDING ones are handled next, DELAYED ones not before their time, HELD ones behind another message with their ordering key.";
    }
    if (rows.stream().anyMatch(row -> row.place() == Place.RETRIED)) {
      return "It is not handled yet, and goes back to its queue: a DELAYED one when its time comes; of a HANDED_BACK one a copy is on its way, and another is sent if none comes.";
    }
    if (rows.stream().anyMatch(row -> row.place() == Place.BUFFERED)) {
      return "It is buffered and not handled yet: it came before the versions of its aggregate that it follows, and is released when they have been handled.";
    }
    return (events.isEmpty()
            ? "The inbox keeps no row of this message: it was not delivered here, its delivery has not ended, or "
            : "The inbox has no row that says that it was handled: that has not happened yet, or ")
        + "it was handled longer ago than the consumer's retention (postbox.inbox.retention).";
  }

  private LookupViews views(Connection connection) throws SQLException {
    return new LookupViews(
        Dialect.of(connection, "inbox"),
        config.tables(),
        config.tablePartitioning() == TablePartitioning.DAILY,
        contents);
  }

  private <T> T ask(Work<T> question) {
    return calls.ask(PROBLEM, question);
  }
}
