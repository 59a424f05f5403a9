package io.postbox.console.http;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The plans that this node keeps until somebody carries them out. */
@ApplicationScoped
public class Plans {
  private static final Duration VALID = Duration.ofHours(1);

  private final PlanShelf shelf = new PlanShelf(Clock.systemUTC());

  /**
   * Keeps a plan.
   *
   * @param action the action that it is for
   * @param plan of the module
   */
  public void keep(UUID id, String action, Object plan, String principal, Instant expiresAt) {
    shelf.put(id, new PlanShelf.Kept(action, plan, principal, expiresAt));
  }

  /**
   * Keeps a plan that the console has made itself, for an hour.
   *
   * @param action the action that it is for
   */
  public Kept keep(String action, Object plan, String principal) {
    Kept kept = new Kept(UUID.randomUUID(), Instant.now().plus(VALID));
    keep(kept.id(), action, plan, principal, kept.expiresAt());
    return kept;
  }

  /** A plan that is kept, and until when. */
  public record Kept(UUID id, Instant expiresAt) {}

  /**
   * Takes a plan to carry it out, once. A plan that is for something else stays.
   *
   * @param action the action that it must be for
   * @param type of the plan
   */
  public <T> T take(String id, String action, Class<T> type, String principal) {
    Taken taken = take(id, principal);
    if (!taken.action().equals(action) || !type.isInstance(taken.plan())) {
      putBack(taken);
      throw refused().exception();
    }
    return type.cast(taken.plan());
  }

  /**
   * A plan that was taken to carry it out.
   *
   * @param id the plan's
   * @param action the action that it is for
   * @param plan of the module
   */
  public record Taken(UUID id, String action, Object plan, String principal, Instant expiresAt) {}

  /** Takes a plan to carry it out, whatever it is for, once. */
  public Taken take(String id, String principal) {
    return uuid(id)
        .flatMap(
            known ->
                shelf
                    .take(known, principal)
                    .map(
                        kept ->
                            new Taken(
                                known, kept.action(), kept.plan(), principal, kept.expiresAt())))
        .orElseThrow(() -> refused().exception());
  }

  /** Keeps a plan again that was not carried out after all. */
  public void putBack(Taken taken) {
    keep(taken.id(), taken.action(), taken.plan(), taken.principal(), taken.expiresAt());
  }

  private static Problem refused() {
    return Problem.conflict(
        "plan-refused",
        "The plan was refused",
        "You have no such plan on this node, for this action: plans are kept for an hour and one use."
            + " Nothing was changed.",
        "Make another plan: it shows the present messages.");
  }

  /** An id as a UUID; empty if it is none. */
  public static Optional<UUID> uuid(String text) {
    try {
      return Optional.of(UUID.fromString(text));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }
}
