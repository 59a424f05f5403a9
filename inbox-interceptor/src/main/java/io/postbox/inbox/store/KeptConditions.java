package io.postbox.inbox.store;

import io.postbox.common.store.LikePattern;
import io.postbox.common.store.Sql;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.ParkReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The condition by which a statement selects messages, and its parameters.
 *
 * @param sql begins with {@code AND}
 * @param values in the order of the parameters
 */
record KeptConditions(String sql, Sql.Values values) {

  /**
   * Selects the messages that match the filter.
   *
   * @throws IllegalArgumentException if it searches a value that this kind does not have
   */
  static KeptConditions of(Kind kind, KeptFilter filter) {
    StringBuilder sql = new StringBuilder();
    List<Object> values = new ArrayList<>();
    for (Map.Entry<Criterion, Object> each : filter.criteria().entrySet()) {
      if (kind == Kind.QUARANTINED && !each.getKey().isKnownOfQuarantined()) {
        throw new IllegalArgumentException(
            "Quarantined messages cannot be filtered by %s (%s): the inbox does not store that for them."
                .formatted(
                    each.getKey().name().toLowerCase(Locale.ROOT).replace('_', '-'), filter));
      }
      sql.append(" AND ").append(condition(each.getKey()));
      values.add(value(each.getKey(), each.getValue()));
    }
    return new KeptConditions(
        " AND " + status(kind, filter.criteria()) + sql, new Sql.Values(values));
  }

  @SuppressWarnings("unchecked") // see Criterion
  private static Object value(Criterion criterion, Object value) {
    return switch (criterion) {
      case IDS -> KeptIds.values((Collection<Long>) value);
      case ERROR_CONTAINS -> LikePattern.containing((String) value);
      default -> value;
    };
  }

  /** Early messages are none for a person, unless these are named. */
  private static String status(Kind kind, Map<Criterion, Object> criteria) {
    if (kind == Kind.QUARANTINED) {
      return "m.status = 'QUARANTINED'";
    }
    if (ParkReason.EARLY.name().equals(criteria.get(Criterion.REASON))) {
      return "m.status = 'EARLY'";
    }
    return criteria.containsKey(Criterion.IDS)
        ? "m.status IN ('EARLY', 'PARKED')"
        : "m.status = 'PARKED'";
  }

  private static String condition(Criterion criterion) {
    return switch (criterion) {
      case IDS -> KeptIds.CONDITION;
      case CONSUMER -> "m.consumer = ?";
      case MESSAGE_ID -> "m.message_id = ?";
      case REASON -> "m.reason = ?";
      case KEPT_FROM -> "m.kept_at >= ?";
      case KEPT_BEFORE -> "m.kept_at < ?";
      case EVENT_TYPE -> "m.event_type = ?";
      case AGGREGATE_TYPE -> "m.aggregate_type = ?";
      case AGGREGATE_ID -> "m.aggregate_id = ?";
      case SIGNATURE -> "m.signature = ?";
      case ERROR_CONTAINS -> "m.error LIKE ? ESCAPE '!'";
    };
  }
}
