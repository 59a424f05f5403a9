package io.postbox.console.outbox;

import java.util.Set;

/** The resource classes of the outbox's half. */
public final class OutboxResources {
  private OutboxResources() {}

  /** All of them. */
  public static Set<Class<?>> all() {
    return Set.of(Destinations.class, Letters.class, LetterEdits.class, OutboxPlans.class);
  }
}
