package io.postbox.inbox.ops;

import io.postbox.common.RedrivePace;
import io.postbox.common.ops.PlanFields;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.KeptRows;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The messages of an action in the background, as its row has them.
 *
 * @param kind the kind of messages
 * @param filter selects the messages
 * @param upTo only rows up to this id
 * @param replies whether they keep their reply destinations when they are sent
 * @param pace how a redrive goes on
 */
record KeptActionPlan(
    Kind kind, KeptFilter filter, long upTo, ReplyOnRedrive replies, RedrivePace pace) {
  private static final String KIND = "kind";

  KeptActionPlan(Kind kind, KeptFilter filter, long upTo) {
    this(kind, filter, upTo, ReplyOnRedrive.DROP, RedrivePace.FASTEST);
  }

  /** Where its messages are. */
  Source source() {
    return new Source(kind, KeptRows.goBack(filter));
  }

  /**
   * Where messages are.
   *
   * @param kind their kind
   * @param goBack whether they are retried by themselves; otherwise they are kept aside
   */
  record Source(Kind kind, boolean goBack) {}

  /** The same messages, to be redriven. */
  KeptActionPlan redriven(ReplyOnRedrive keep, RedrivePace how) {
    return new KeptActionPlan(kind, filter, upTo, keep, how);
  }

  String toJson() {
    return PlanFields.of(filter)
        .with(KIND, kind)
        .with("upTo", upTo)
        .with("replies", replies)
        .with("perSecond", pace.perSecond())
        .with("first", pace.first())
        .toJson();
  }

  /** The plan in a row; empty if it is for something else, or was erased. */
  static Optional<KeptActionPlan> planned(String json) {
    PlanFields fields = PlanFields.parse(json);
    return fields.has(KIND) ? Optional.of(of(fields)) : Optional.empty();
  }

  /** The plan in a row. */
  static KeptActionPlan of(String json) {
    return of(PlanFields.parse(json));
  }

  private static KeptActionPlan of(PlanFields fields) {
    return new KeptActionPlan(
        Kind.valueOf(fields.get(KIND)),
        fields.filter(
            KeptFilter.all(),
            Criterion.values(),
            (filter, criterion, text) -> and(filter, criterion, text, fields)),
        Long.parseLong(fields.get("upTo")),
        ReplyOnRedrive.valueOf(fields.get("replies")),
        new RedrivePace(
            Integer.parseInt(fields.get("perSecond")), Integer.parseInt(fields.get("first"))));
  }

  private static KeptFilter and(
      KeptFilter filter, Criterion criterion, String text, PlanFields all) {
    return switch (criterion) {
      case IDS -> filter.ids(Stream.of(text.split(" ")).map(Long::valueOf).toList());
      case CONSUMER -> filter.consumer(text);
      case MESSAGE_ID -> filter.messageId(text);
      case REASON -> filter.reason(text);
      case KEPT_FROM -> filter.keptFrom(Instant.parse(text));
      case KEPT_BEFORE -> filter.keptBefore(Instant.parse(text));
      case EVENT_TYPE -> filter.event(text);
      case AGGREGATE_TYPE -> filter.aggregate(text, all.get(Criterion.AGGREGATE_ID));
      case AGGREGATE_ID -> filter; // comes with its type
      case SIGNATURE -> filter.signature(text);
      case ERROR_CONTAINS -> filter.errorContains(text);
    };
  }
}
