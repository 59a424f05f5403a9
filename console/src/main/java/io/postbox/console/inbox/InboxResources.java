package io.postbox.console.inbox;

import java.util.Set;

/** The resource classes of the inbox's half. */
public final class InboxResources {
  private InboxResources() {}

  /** All of them. */
  public static Set<Class<?>> all() {
    return Set.of(Consumers.class, Gaps.class, Kept.class, ParkedEdits.class, InboxPlans.class);
  }
}
