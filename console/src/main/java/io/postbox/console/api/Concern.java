package io.postbox.console.api;

import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import jakarta.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Something that needs somebody now.
 *
 * @param kind its kind; the kinds are in the order of harm
 * @param text one sentence with the numbers
 * @param count how many
 * @param link the page of the console that has more
 */
public record Concern(Kind kind, String text, long count, String link) {
  private static final int MOST_NAMES = 3;

  /** In the order of harm: the worst first. */
  public static final Comparator<Concern> WORST_FIRST =
      Comparator.comparing(Concern::kind)
          .thenComparing(Comparator.comparingLong(Concern::count).reversed());

  /** How bad it is. */
  public enum Severity {
    /** Messages do not arrive. */
    HARM,
    /** Messages will not arrive if nobody does anything. */
    WARNING,
    /** Somebody should know. */
    NOTICE
  }

  /** The kind of a concern. */
  public enum Kind {
    /** Messages that used up their attempts. */
    DEAD_LETTERS(Severity.HARM),
    /** Messages behind a failed one of their ordering key. */
    HELD_KEYS(Severity.HARM),
    /** Destinations to which nothing is sent, because they failed. */
    OPEN_BREAKERS(Severity.HARM),
    /** Partitions that another transaction holds. */
    STUCK_PARTITIONS(Severity.HARM),
    /** Nodes that do not report any more. */
    GONE_NODES(Severity.WARNING),
    /** Somebody has paused it. */
    PAUSED(Severity.WARNING),
    /** The backlog is so large that enqueue refuses. */
    FULL_BACKLOG(Severity.HARM),
    /** The backlog is so large that somebody should look. */
    LARGE_BACKLOG(Severity.WARNING),
    /** Messages that their handlers could not handle. */
    PARKED(Severity.WARNING),
    /** Aggregates of which versions are missing for too long, while later ones wait. */
    VERSION_GAPS(Severity.WARNING),
    /** Deliveries that cannot be told from others. */
    QUARANTINED(Severity.WARNING),
    /** Destinations whose messages somebody has sent elsewhere. */
    REDIRECTED(Severity.NOTICE),
    /** Destinations and consumers whose retries somebody has set in place of the configuration. */
    POLICIES(Severity.NOTICE),
    /** The findings of the guarantee check. */
    FINDINGS(Severity.NOTICE);

    private final Severity severity;

    Kind(Severity severity) {
      this.severity = severity;
    }
  }

  /**
   * Adds a concern, if there is something to be concerned about.
   *
   * @param sentence the text, as {@link Numbered} takes it
   */
  public static void add(
      List<Concern> concerns, Kind kind, long count, String sentence, String link) {
    if (count > 0) {
      concerns.add(new Concern(kind, Numbered.sentence(sentence, count), count, link));
    }
  }

  /**
   * Adds what the guarantee check of a module has found.
   *
   * @param found the findings of its nodes
   */
  public static void addFindings(List<Concern> concerns, String module, Stream<String> found) {
    add(
        concerns,
        Kind.FINDINGS,
        found.distinct().count(),
        "The %s's guarantee check has {# finding|# findings}.".formatted(module),
        "#/findings");
  }

  /** The first few names. */
  public static String some(List<String> names) {
    String first = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
    return names.size() > MOST_NAMES ? first + " and others" : first;
  }

  JsonObject json() {
    return Json.object()
        .put("severity", kind.severity.name().toLowerCase(Locale.ROOT))
        .put("kind", kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .put("text", text)
        .put("count", count)
        .put("link", link)
        .build();
  }
}
