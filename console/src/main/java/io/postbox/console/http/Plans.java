package io.postbox.console.http;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds a plan by the id that a page has. A module's plan is a row of its own, so that every node
 * can carry it out; the id says which module's, and for what. What only the console plans, an edit
 * or one message, this node keeps.
 */
@ApplicationScoped
public class Plans {
  private static final Duration VALID = Duration.ofHours(1);

  private final PlanShelf shelf = new PlanShelf(Clock.systemUTC());

  private static final Pattern OF_MODULE =
      Pattern.compile("(outbox|inbox)\\.([a-z-]+)\\.([0-9a-f-]{36})");

  /**
   * A module's plan.
   *
   * @param module outbox or inbox
   * @param id of its row
   */
  public record OfModule(String module, UUID id) {}

  /**
   * The id by which pages name a module's plan.
   *
   * @param action the action that it is for
   */
  public static String id(String module, String action, UUID plan) {
    return "%s.%s.%s".formatted(module, action, plan);
  }

  /**
   * Keeps a plan that the console has made itself, for an hour.
   *
   * @param action the action that it is for
   */
  public Kept keep(String action, Object plan, String principal) {
    Kept kept = new Kept(UUID.randomUUID(), Instant.now().plus(VALID));
    shelf.put(kept.id(), new PlanShelf.Kept(action, plan, principal, kept.expiresAt()));
    return kept;
  }

  /** A plan that is kept, and until when. */
  public record Kept(UUID id, Instant expiresAt) {}

  /**
   * Takes a plan to carry it out, once; its module sees to that with those of modules. A plan that
   * is for something else stays.
   *
   * @param action the action that it must be for
   * @param type of the plan
   */
  public <T> T take(String id, String action, Class<T> type, String principal) {
    Taken taken = take(id, principal);
    if (!taken.action().equals(action) || !type.isInstance(taken.plan())) {
      taken.back().run();
      throw refused().exception();
    }
    return type.cast(taken.plan());
  }

  /**
   * A plan that was taken to carry it out.
   *
   * @param action the action that it is for
   * @param plan the console's, or an {@link OfModule}
   * @param back keeps it again
   */
  public record Taken(String action, Object plan, Runnable back) {}

  /** Takes a plan to carry it out, whatever it is for, once. */
  public Taken take(String id, String principal) {
    Matcher parts = OF_MODULE.matcher(id);
    Optional<Taken> taken =
        parts.matches()
            ? uuid(parts.group(3))
                .map(
                    plan -> new Taken(parts.group(2), new OfModule(parts.group(1), plan), () -> {}))
            : uuid(id)
                .flatMap(
                    known ->
                        shelf
                            .take(known, principal)
                            .map(
                                kept ->
                                    new Taken(
                                        kept.action(), kept.plan(), () -> shelf.put(known, kept))));
    return taken.orElseThrow(() -> refused().exception());
  }

  private static Problem refused() {
    return Problem.conflict(
        "plan-refused",
        "The plan was refused",
        "You have no such plan, for this action: plans are kept for an hour and one use."
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
