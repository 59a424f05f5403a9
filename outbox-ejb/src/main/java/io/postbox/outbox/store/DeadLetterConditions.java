package io.postbox.outbox.store;

import io.postbox.common.store.LikePattern;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterFilter.Criterion;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The condition that selects dead letters in a statement, with its parameters.
 *
 * @param sql begins with {@code AND}, or is empty
 * @param values in the order of the parameters
 */
record DeadLetterConditions(String sql, List<Object> values) {

  /** Selects all. */
  static final DeadLetterConditions NONE = new DeadLetterConditions("", List.of());

  /** Selects the dead letters that match the filter. */
  static DeadLetterConditions of(DeadLetterFilter filter) {
    StringBuilder sql = new StringBuilder();
    List<Object> values = new ArrayList<>();
    for (Map.Entry<Criterion, Object> each : filter.criteria().entrySet()) {
      sql.append(" AND ").append(condition(each.getKey()));
      values.add(
          each.getKey() == Criterion.ERROR_CONTAINS
              ? LikePattern.containing((String) each.getValue())
              : each.getValue());
    }
    return new DeadLetterConditions(sql.toString(), values);
  }

  /** Selects those of them that were dead at a time. */
  DeadLetterConditions deadAt(Instant time) {
    List<Object> more = new ArrayList<>(values);
    more.add(time);
    // As a truth value, so that H2 does not use the index on delayed messages.
    return new DeadLetterConditions(sql + " AND (m.due_at <= ?) IS TRUE", more);
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

  /** Sets the parameters, and returns the index of the next one. */
  int bind(PreparedStatement statement, int first) throws SQLException {
    int index = first;
    for (Object value : values) {
      if (value instanceof Collection<?> ids) {
        statement.setArray(index++, statement.getConnection().createArrayOf("UUID", ids.toArray()));
      } else if (value instanceof Instant time) {
        statement.setObject(index++, OffsetDateTime.ofInstant(time, ZoneOffset.UTC));
      } else {
        statement.setString(index++, (String) value);
      }
    }
    return index;
  }
}
