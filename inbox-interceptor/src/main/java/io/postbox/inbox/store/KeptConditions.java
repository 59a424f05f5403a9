package io.postbox.inbox.store;

import io.postbox.common.MessageFilter;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Numbers;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.ParkReason;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The conditions by which statements select kept messages. */
final class KeptConditions {
  private KeptConditions() {}

  /**
   * Selects the messages that match the filter.
   *
   * @throws IllegalArgumentException if it searches a value that this kind does not have
   */
  @SuppressWarnings("unchecked") // see Criterion
  static Conditions of(Kind kind, KeptFilter filter) {
    for (Criterion each : filter.criteria().keySet()) {
      if (kind == Kind.QUARANTINED && !each.isKnownOfQuarantined()) {
        throw new IllegalArgumentException(
            "Quarantined messages cannot be filtered by %s (%s): the inbox does not store that for them."
                .formatted(MessageFilter.name(each), filter));
      }
    }
    Conditions all = Conditions.of(Condition.of(status(kind, filter.criteria())));
    if (filter.criteria().get(Criterion.IDS) instanceof Collection<?> ids) {
      all =
          all.and(
              new Condition("", Numbers.in("m.id"), List.of(Numbers.of((Collection<Long>) ids))));
    }
    Conditions others =
        Conditions.of(filter, Map.of("kept", KeptRows.SINCE, "error", "m.error")).without("m.ids");
    return all.and((KeptRows.goBack(filter) ? others.without("m.reason") : others).all());
  }

  /** Messages that go on by themselves are none for a person, unless these are named. */
  private static String status(Kind kind, Map<Criterion, Object> criteria) {
    Object reason = criteria.get(Criterion.REASON);
    if (KeptRows.goBack(reason)) {
      return KeptRows.goesBack(kind) + " AND m.status = '%s'".formatted(reason);
    }
    if (criteria.containsKey(Criterion.IDS)) {
      return KeptRows.keptAside(kind);
    }
    if (kind == Kind.QUARANTINED) {
      return "m.status = 'QUARANTINED'";
    }
    return ParkReason.EARLY.name().equals(reason) ? "m.status = 'EARLY'" : "m.status = 'PARKED'";
  }
}
