package io.postbox.inbox.ops;

import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.store.LikePattern;
import jakarta.persistence.Query;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;

/** A filter in JPQL, as a condition on {@code m} and its parameters. */
final class KeptJpql {
  private KeptJpql() {}

  /**
   * The condition; empty, or begins with {@code AND}.
   *
   * @throws IllegalArgumentException if it asks for what is not known of that kind
   */
  static String condition(Kind kind, KeptFilter filter) {
    StringBuilder jpql = new StringBuilder();
    for (Criterion criterion : filter.criteria().keySet()) {
      if (kind == Kind.QUARANTINED && !criterion.isKnownOfQuarantined()) {
        throw new IllegalArgumentException(
            "Quarantined messages cannot be asked for %s (%s): less is known of them than of parked ones."
                .formatted(criterion.name().toLowerCase(Locale.ROOT).replace('_', '-'), filter));
      }
      jpql.append(" AND ")
          .append(
              switch (criterion) {
                case IDS -> "m.id IN ";
                case CONSUMER -> "m.consumer = ";
                case MESSAGE_ID -> "m.messageId = ";
                case REASON -> "m.reason = ";
                case KEPT_FROM -> "m.keptAt >= ";
                case KEPT_BEFORE -> "m.keptAt < ";
                case EVENT_TYPE -> "m.eventType = ";
                case AGGREGATE_TYPE -> "m.aggregateType = ";
                case AGGREGATE_ID -> "m.aggregateId = ";
                case SIGNATURE -> "m.signature = ";
                case ERROR_CONTAINS -> "m.error LIKE ";
              })
          .append(':')
          .append(criterion)
          .append(criterion == Criterion.ERROR_CONTAINS ? " ESCAPE '!'" : "");
    }
    return jpql.toString();
  }

  /** Sets its parameters. */
  static <Q extends Query> Q bind(Q query, KeptFilter filter) {
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
