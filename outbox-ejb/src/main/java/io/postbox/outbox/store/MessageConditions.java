package io.postbox.outbox.store;

import io.postbox.common.store.LikePattern;
import io.postbox.common.store.Sql;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterFilter.Criterion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The condition that selects messages in a statement, with its parameters.
 *
 * @param sql begins with {@code AND}, or is empty
 * @param values in the order of the parameters
 */
record MessageConditions(String sql, Sql.Values values) {

  /** Selects all. */
  static final MessageConditions NONE = new MessageConditions("", new Sql.Values(List.of()));

  /** Selects the messages that match the filter. */
  static MessageConditions of(DeadLetterFilter filter) {
    StringBuilder sql = new StringBuilder();
    List<Object> values = new ArrayList<>();
    filter
        .criteria()
        .forEach(
            (criterion, value) -> {
              sql.append(" AND ").append(condition(criterion));
              values.add(
                  criterion == Criterion.ERROR_CONTAINS
                      ? LikePattern.containing((String) value)
                      : value instanceof Collection<?> ids ? Sql.ids(ids) : value);
            });
    return new MessageConditions(sql.toString(), new Sql.Values(values));
  }

  /** Selects those of them that were dead at a time. */
  MessageConditions deadAt(Instant time) {
    // As a truth value, so that H2 does not use the index on delayed messages.
    return and("(m.due_at <= ?) IS TRUE", time);
  }

  /** Selects those of them that were enqueued until a time. */
  MessageConditions enqueuedUntil(Instant time) {
    return and("m.created_at <= ?", time);
  }

  private MessageConditions and(String condition, Object value) {
    return new MessageConditions(sql + " AND " + condition, new Sql.Values(List.of(values, value)));
  }

  private static String condition(Criterion criterion) {
    return switch (criterion) {
      case IDS -> "m.id = ANY (?)";
      case DESTINATION -> "m.destination = ?";
      case EVENT_TYPE -> "m.event_type = ?";
      case AGGREGATE_TYPE -> "m.aggregate_type = ?";
      case AGGREGATE_ID -> "m.aggregate_id = ?";
      case ORDERING_KEY -> "m.ordering_key = ?";
      case SIGNATURE -> "m.signature = ?";
      case ERROR_CONTAINS -> "m.last_error LIKE ? ESCAPE '!'";
      case ENQUEUED_FROM -> "m.created_at >= ?";
      case ENQUEUED_BEFORE -> "m.created_at < ?";
    };
  }
}
