package io.postbox.outbox.config;

import io.postbox.common.config.Settings;
import io.postbox.common.config.Spelling;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The known logical destinations and their JNDI names.
 *
 * @param listed the only valid ones; empty if any name is valid
 * @param jndiNames by logical name, where they differ from {@code jms/<name>}
 * @param fromEnvironment the same, by the logical name in the spelling of environment variables
 */
public record Destinations(
    Set<String> listed, Map<String, String> jndiNames, Map<String, String> fromEnvironment) {
  /** The rule for names. */
  static final String NAME_RULE =
      "one has 1 to 100 characters, none of them a control character, ':', '*', a backslash or a"
          + " quote; no blank at its ends, no '..', and something between, before and behind each"
          + " '/'";

  private static final int LONGEST_NAME = 100;
  private static final String REFUSED = ":*\\\"'`";

  /** Any name, with the JNDI name {@code jms/<name>}. */
  public static final Destinations ANY = new Destinations(Set.of(), Map.of(), Map.of());

  /** Keeps copies. */
  public Destinations {
    listed = Set.copyOf(listed);
    jndiNames = Map.copyOf(jndiNames);
    fromEnvironment = Map.copyOf(fromEnvironment);
  }

  /** The JNDI name of a logical destination. */
  public String jndiName(String destination) {
    String configured = jndiNames.get(destination);
    return configured != null
        ? configured
        : fromEnvironment.getOrDefault(Settings.environmentForm(destination), "jms/" + destination);
  }

  /** Whether a destination of this name is valid. */
  public boolean has(String destination) {
    return listed.isEmpty() || listed.contains(destination);
  }

  /**
   * Whether a text can be the name of a destination. A name becomes part of a JNDI name and of
   * metrics, and may come from user input, so it must stay below {@code jms/} and be readable.
   */
  public static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= LONGEST_NAME
        && StandardCharsets.UTF_8.newEncoder().canEncode(text)
        && text.codePoints().noneMatch(Destinations::isRefused)
        && !Character.isWhitespace(text.charAt(0))
        && !Character.isWhitespace(text.charAt(text.length() - 1))
        && !text.contains("..")
        && Arrays.stream(text.split("/", -1)).noneMatch(part -> part.isEmpty() || part.equals("."));
  }

  private static boolean isRefused(int character) {
    return REFUSED.indexOf(character) >= 0
        || switch (Character.getType(character)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              true;
          default -> false;
        };
  }

  /** Whether the configuration contains the name, so that it does not come from a message. */
  public boolean isConfigured(String destination) {
    return listed.contains(destination)
        || jndiNames.containsKey(destination)
        || fromEnvironment.containsKey(Settings.environmentForm(destination));
  }

  /**
   * The problem of a destination's name, with the nearest valid one; empty if the name is valid.
   */
  public Optional<String> objection(String destination) {
    if (!isName(destination)) {
      return Optional.of("is not a valid name of a destination: " + NAME_RULE);
    }
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
}
