package io.postbox.inbox.config;

import io.postbox.common.config.Spelling;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The consumers of one application.
 *
 * @param names those that its annotations name
 * @param others whether it can have others, because it handles messages by {@code InboxGuard},
 *     whose names only its code knows
 */
public record DeployedConsumers(Set<String> names, boolean others) {
  private static final String KEYS = "postbox.inbox.consumer.%s.*: ";

  /** Keeps a copy of the names. */
  public DeployedConsumers {
    names = Set.copyOf(names);
  }

  /**
   * Reports settings without effect, whose name is a near miss of a consumer's.
   *
   * @param configured the names that have settings
   */
  public List<String> mistyped(Set<String> configured) {
    return others
        ? List.of() // it may be one of those
        : strangers(configured).stream()
            .filter(name -> Spelling.nearest(name, names).isPresent())
            .map(this::nobody)
            .toList();
  }

  /**
   * Reports settings for consumers that this application does not have; they may be intended for
   * another application of the server.
   *
   * @param configured the names that have settings
   */
  public List<String> unclaimed(Set<String> configured) {
    return strangers(configured).stream()
        .filter(name -> !others || Spelling.nearest(name, names).isPresent())
        .map(this::nobody)
        .toList();
  }

  private TreeSet<String> strangers(Set<String> configured) {
    TreeSet<String> strangers = new TreeSet<>(configured);
    strangers.removeAll(names);
    return strangers;
  }

  private String nobody(String name) {
    return KEYS.formatted(name)
        + "no @Inbox of this application has the name '%s'%s"
            .formatted(
                name,
                Spelling.nearest(name, names)
                    .map(" (did you mean postbox.inbox.consumer.%s.*?)"::formatted)
                    .orElse(""));
  }
}
