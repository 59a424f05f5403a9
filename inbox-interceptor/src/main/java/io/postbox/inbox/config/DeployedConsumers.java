package io.postbox.inbox.config;

import io.postbox.common.config.Spelling;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The consumers of one application.
 *
 * @param names the names in its annotations
 * @param others whether it may have further ones, because it uses {@code InboxGuard}, whose
 *     consumers only its code knows
 */
public record DeployedConsumers(Set<String> names, boolean others) {
  private static final String KEYS = "postbox.inbox.consumer.%s.*: ";

  /** Keeps a copy of the names. */
  public DeployedConsumers {
    names = Set.copyOf(names);
  }

  /**
   * Reports settings without effect, whose consumer name is probably a misspelt one.
   *
   * @param configured the names that have settings
   */
  public List<String> mistyped(Set<String> configured) {
    return others
        ? List.of() // may be one of the code's consumers
        : strangers(configured).stream()
            .filter(name -> Spelling.nearest(name, names).isPresent())
            .map(this::nobody)
            .toList();
  }

  /**
   * Reports settings for consumers that this application does not have; they may be meant for
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

  /** Why no consumer can have this name; empty if one has, or may have. */
  public Optional<String> objection(String name) {
    return others || names.contains(name)
        ? Optional.empty()
        : Optional.of(
            "no @Inbox of this application has this name%s"
                .formatted(
                    Spelling.nearest(name, names)
                        .map(" (did you mean '%s'?)"::formatted)
                        .orElse("")));
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
