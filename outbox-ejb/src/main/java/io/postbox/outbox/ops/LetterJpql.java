package io.postbox.outbox.ops;

import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterFilter.Criterion;
import io.postbox.outbox.store.LikePattern;
import jakarta.persistence.Query;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;

/** A filter of dead letters in JPQL, as a condition on {@code m} and its parameters. */
final class LetterJpql {
  private LetterJpql() {}

  /** The condition. */
  static String condition(DeadLetterFilter filter) {
    StringBuilder jpql = new StringBuilder("m.status = 'DEAD'");
    for (Criterion criterion : filter.criteria().keySet()) {
      jpql.append(" AND ")
          .append(
              switch (criterion) {
                case IDS -> "m.id IN ";
                case DESTINATION -> "m.destination = ";
                case EVENT_TYPE -> "m.eventType = ";
                case AGGREGATE_TYPE -> "m.aggregateType = ";
                case AGGREGATE_ID -> "m.aggregateId = ";
                case ORDERING_KEY -> "m.orderingKey = ";
                case SIGNATURE -> "m.signature = ";
                case ERROR_CONTAINS -> "m.lastError LIKE ";
                case ENQUEUED_FROM -> "m.createdAt >= ";
                case ENQUEUED_BEFORE -> "m.createdAt < ";
              })
          .append(':')
          .append(criterion)
          .append(criterion == Criterion.ERROR_CONTAINS ? " ESCAPE '!'" : "");
    }
    return jpql.toString();
  }

  /** Sets its parameters. */
  static <Q extends Query> Q bind(Q query, DeadLetterFilter filter) {
    for (Map.Entry<Criterion, Object> each : filter.criteria().entrySet()) {
      Object value = each.getValue();
      if (each.getKey() == Criterion.ERROR_CONTAINS) {
        value = LikePattern.containing((String) value);
      } else if (value instanceof Instant time) {
        value = OffsetDateTime.ofInstant(time, ZoneOffset.UTC);
      }
      query.setParameter(each.getKey().name(), value);
    }
    return query;
  }
}
