package io.postbox.outbox.ops;

import io.postbox.common.ops.PlanFields;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterFilter.Criterion;
import io.postbox.outbox.store.OperatorStore.Selection;
import io.postbox.outbox.store.OperatorStore.Those;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The work of an action on dead letters or on messages that wait, as its row has it.
 *
 * @param selection selects the messages
 * @param estimated whether the plan has not counted all of them
 * @param perSecond how many become due each second; 0 if they are not redriven
 * @param first after how many a redrive waits for their fate; 0 if it does not wait
 */
record MessagePlan(Selection selection, boolean estimated, int perSecond, int first) {
  private static final String THOSE = "those";

  static MessagePlan ofDead(DeadLetterFilter filter, Instant asOf) {
    return new MessagePlan(new Selection(Those.DEAD, filter, asOf), false, 0, 0);
  }

  static MessagePlan ofWaiting(String destination, Instant asOf, boolean estimated) {
    DeadLetterFilter filter = DeadLetterFilter.all().destination(destination);
    return new MessagePlan(new Selection(Those.WAITING, filter, asOf), estimated, 0, 0);
  }

  MessagePlan redriven(int rate, int ahead) {
    return new MessagePlan(selection, estimated, rate, ahead);
  }

  boolean isRedrive() {
    return perSecond > 0;
  }

  /** The plan's destination, if it is one of messages that wait. */
  Object destination() {
    return Objects.requireNonNull(selection.filter().criteria().get(Criterion.DESTINATION));
  }

  /** For the record of a plan whose messages were not all counted. */
  String leastNumber(long counted) {
    return estimated ? ", at least %s of them, for not all were counted".formatted(counted) : "";
  }

  String toJson() {
    return PlanFields.of(selection.filter())
        .with(THOSE, selection.those())
        .with("asOf", selection.asOf())
        .with("estimated", estimated)
        .with("perSecond", perSecond)
        .with("first", first)
        .toJson();
  }

  /** The plan in a row, if it is about those; empty if it is for something else, or was erased. */
  static Optional<MessagePlan> of(String json, Those those) {
    PlanFields fields = PlanFields.parse(json);
    return fields.has(THOSE)
        ? Optional.of(of(fields)).filter(plan -> plan.selection.those() == those)
        : Optional.empty();
  }

  /** The plan in a row. */
  static MessagePlan of(String json) {
    return of(PlanFields.parse(json));
  }

  private static MessagePlan of(PlanFields fields) {
    return new MessagePlan(
        new Selection(
            Those.valueOf(fields.get(THOSE)),
            fields.filter(
                DeadLetterFilter.all(),
                Criterion.values(),
                (filter, criterion, text) -> and(filter, criterion, text, fields)),
            Instant.parse(fields.get("asOf"))),
        Boolean.parseBoolean(fields.get("estimated")),
        Integer.parseInt(fields.get("perSecond")),
        Integer.parseInt(fields.get("first")));
  }

  private static DeadLetterFilter and(
      DeadLetterFilter filter, Criterion criterion, String text, PlanFields all) {
    return switch (criterion) {
      case IDS -> filter.ids(Stream.of(text.split(" ")).map(UUID::fromString).toList());
      case DESTINATION -> filter.destination(text);
      case EVENT_TYPE -> filter.event(text);
      case AGGREGATE_TYPE -> filter.aggregate(text, all.get(Criterion.AGGREGATE_ID));
      case AGGREGATE_ID -> filter; // comes with its type
      case ORDERING_KEY -> filter.orderedBy(text);
      case SIGNATURE -> filter.signature(text);
      case ERROR_CONTAINS -> filter.errorContains(text);
      case ENQUEUED_FROM -> filter.enqueuedFrom(Instant.parse(text));
      case ENQUEUED_BEFORE -> filter.enqueuedBefore(Instant.parse(text));
    };
  }
}
