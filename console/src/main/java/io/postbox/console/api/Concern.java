package io.postbox.console.api;

import io.postbox.console.http.Json;
import io.postbox.console.http.Numbered;
import io.postbox.console.http.Words;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
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
   * A concern, if the count is not 0.
   *
   * @param sentence the text, as {@link Numbered} takes it
   */
  public static Concern of(Kind kind, long count, String sentence, String link) {
    return new Concern(kind, Numbered.sentence(sentence, count), count, link);
  }

  /**
   * What the guarantee check of a module has found.
   *
   * @param found the findings of its nodes
   */
  public static Concern ofFindings(String module, Stream<String> found) {
    return of(
        Kind.FINDINGS,
        found.distinct().count(),
        "The %s's guarantee check has {# finding|# findings}.".formatted(module),
        "#/findings");
  }

  /** Those of these that there are. */
  public static List<Concern> some(Concern... possible) {
    return Stream.of(possible).filter(each -> each.count > 0).toList();
  }

  /** The first few names, and the end of the sentence. */
  public static <T> String names(Stream<T> named, Function<T, String> name) {
    List<String> names = named.map(name).toList();
    String first = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
    return names.size() > MOST_NAMES ? first + " and others." : first + ".";
  }

  Json json() {
    return Json.object()
        .put("severity", Words.of(kind.severity))
        .put("kind", Words.of(kind).replace('_', '-'))
        .put("text", text)
        .put("count", count)
        .put("link", link);
  }
}
