package io.postbox.console.http;

import java.time.Clock;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps plans between the request that makes one and the one that carries it out: each for one use,
 * by the person who made it, until it expires. Bounded for each person and altogether, so that the
 * oldest go first. Thread-safe.
 */
final class PlanShelf {
  private static final int MOST = 1_000;
  private static final int MOST_OF_ONE = 50;

  private final Clock clock;
  private final Map<UUID, Kept> plans = new LinkedHashMap<>();

  /**
   * A plan that is kept.
   *
   * @param action the action that it is for
   * @param plan of the module
   * @param principal the user who made it
   * @param expiresAt until when it is kept
   */
  record Kept(String action, Object plan, String principal, Instant expiresAt) {}

  PlanShelf(Clock clock) {
    this.clock = clock;
  }

  synchronized void put(UUID id, Kept plan) {
    Instant now = clock.instant();
    plans.values().removeIf(each -> !each.expiresAt().isAfter(now));
    long ofOne =
        plans.values().stream().filter(each -> each.principal().equals(plan.principal())).count();
    if (ofOne >= MOST_OF_ONE) {
      removeOldest(plan.principal());
    } else if (plans.size() >= MOST) {
      plans.remove(plans.keySet().iterator().next());
    }
    plans.put(id, plan);
  }

  private void removeOldest(String principal) {
    for (Iterator<Kept> each = plans.values().iterator(); each.hasNext(); ) {
      if (each.next().principal().equals(principal)) {
        each.remove();
        return;
      }
    }
  }

  /** Takes a plan away to carry it out; nobody else's, and none that has expired. */
  synchronized Optional<Kept> take(UUID id, String principal) {
    Kept kept = plans.get(id);
    if (kept == null || !kept.principal().equals(principal)) {
      return Optional.empty(); // the same answer, so that nobody learns what others plan
    }
    plans.remove(id);
    return kept.expiresAt().isAfter(clock.instant()) ? Optional.of(kept) : Optional.empty();
  }
}
