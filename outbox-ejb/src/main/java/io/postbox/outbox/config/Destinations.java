package io.postbox.outbox.config;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which logical destinations there are, and what they stand for.
 *
 * @param listed the only ones that messages can be enqueued for; empty if any name will do
 * @param jndiNames by logical name, where they differ from {@code jms/<name>}
 * @param fromEnvironment likewise, by the logical name as an environment variable writes it
 */
public record Destinations(
    Set<String> listed, Map<String, String> jndiNames, Map<String, String> fromEnvironment) {
  /** Any name, and each stands for {@code jms/<name>}. */
  public static final Destinations ANY = new Destinations(Set.of(), Map.of(), Map.of());

  /** Keeps copies. */
  public Destinations {
    listed = Set.copyOf(listed);
    jndiNames = Map.copyOf(jndiNames);
    fromEnvironment = Map.copyOf(fromEnvironment);
  }

  /** The JNDI name that a logical destination stands for. */
  public String jndiName(String destination) {
    String configured = jndiNames.get(destination);
    return configured != null
        ? configured
        : fromEnvironment.getOrDefault(environmentForm(destination), "jms/" + destination);
  }

  /** Whether there is a destination of this name, as far as that is known. */
  public boolean has(String destination) {
    return listed.isEmpty() || listed.contains(destination);
  }

  /** What is wrong with a destination's name, and which one may be meant; empty if it is known. */
  public Optional<String> objection(String destination) {
    return has(destination)
        ? Optional.empty()
        : Optional.of(
            "'%s' is not one of postbox.outbox.destinations=%s%s"
                .formatted(
                    destination,
                    String.join(",", new TreeSet<>(listed)),
                    Spelling.nearest(destination, listed)
                        .map(" (did you mean '%s'?)"::formatted)
                        .orElse("")));
  }

  /** How MicroProfile Config writes a name, or a part of one, as an environment variable. */
  static String environmentForm(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }
}
