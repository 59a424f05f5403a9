package io.postbox.console.http;

import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id by which pages name a plan. A plan is a row of its module, so that every node can carry it
 * out; the id says which module's, and for what. The row decides, whatever the id says.
 *
 * @param module outbox or inbox
 * @param action the action that it is for
 * @param row its id in the module
 * @param detail what its owner has to say again to carry it out; empty for nothing
 */
public record PlanId(String module, String action, UUID row, String detail) {
  private static final Pattern FORM =
      Pattern.compile("(outbox|inbox)\\.([a-z-]+)\\.([0-9a-f-]{36})(?:\\.([0-9a-f.-]+))?");

  /** Reads an id, whatever it is for. */
  public static PlanId of(String id) {
    Matcher parts = FORM.matcher(id);
    if (!parts.matches()) {
      throw refused(Why.UNKNOWN);
    }
    UUID row = uuid(parts.group(3)).orElseThrow(() -> refused(Why.UNKNOWN));
    String detail = Optional.ofNullable(parts.group(4)).orElse("");
    return new PlanId(parts.group(1), parts.group(2), row, detail);
  }

  /** Reads an id that must be for an action. */
  public static PlanId of(String id, String action) {
    PlanId plan = of(id);
    if (!plan.action.equals(action)) {
      throw refused(Why.UNKNOWN);
    }
    return plan;
  }

  /** The beginning of the answer that shows a plan. */
  public static Json json(String module, String action, PlanToken token, String detail) {
    return Json.object()
        .put("id", new PlanId(module, action, token.id(), detail).toString())
        .put("action", action)
        .put("expiresAt", token.expiresAt());
  }

  @Override
  public String toString() {
    return "%s.%s.%s".formatted(module, action, row) + (detail.isEmpty() ? "" : "." + detail);
  }

  /** Says why a plan is refused. */
  public static Problem refused(Why why) {
    String detail =
        switch (why) {
          case UNKNOWN -> "This service has no such plan on record, for this action";
          case FOREIGN -> "Another person made the plan";
          case EXPIRED -> "The plan is older than an hour";
          case USED -> "The plan was carried out already, or was begun and broke off";
        };
    return Problem.conflict(
        "plan-refused",
        "The plan was refused",
        detail + "; nothing was changed.",
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
