package io.postbox.crash.report;

import java.util.Comparator;

/**
 * Something about a running server that must not grow for ever.
 *
 * @param of which one of its kind; empty if there is only one
 */
public record Gauge(Kind kind, String of) implements Comparable<Gauge> {

  /** A reading, taken when the server is at rest, and how much it may rise in a soak. */
  public enum Kind {
    /** After garbage was collected. */
    HEAP("heap", "MB", 0.05, 4),
    METASPACE("metaspace", "MB", 0.02, 2),
    BUFFERS("buffers outside of the heap", "MB", 0.1, 2),
    CLASSES("loaded classes", "", 0.01, 100),
    COPIES("copies of the application", "", 0, 3),
    THREADS("threads", "", 0.1, 4),
    CONNECTIONS("connections", "", 0.1, 2),
    CONSUMERS("consumers", "", 0, 1),
    FILES("open files", "", 0.05, 8),
    ROWS("rows", "", 0.25, 200),
    BYTES("bytes", "kB", 0.25, 1_024),
    METRICS("series of metrics", "", 0, 5),
    /** Since the last reading. */
    LOG("written to logs", "kB", 0.5, 100);

    private final String text;
    private final String unit;
    private final double share;
    private final double slack;

    /**
     * @param share how much of where it began it may rise
     * @param slack how much besides, in its unit
     */
    Kind(String text, String unit, double share, double slack) {
      this.text = text;
      this.unit = unit;
      this.share = share;
      this.slack = slack;
    }
  }

  /** By how much it may rise from there, in its unit. */
  double allowed(double start) {
    return Math.max(0, start) * kind.share + kind.slack;
  }

  /** Whether it is printed while a soak goes on; the others are many. */
  boolean isInShort() {
    return of.isEmpty() || kind == Kind.CONNECTIONS || kind == Kind.ROWS;
  }

  /** For a person: with the unit, if there is one. */
  public String text() {
    return kind.text
        + (of.isEmpty() ? "" : ", " + of)
        + (kind.unit.isEmpty() ? "" : " (" + kind.unit + ")");
  }

  @Override
  public int compareTo(Gauge other) {
    return Comparator.comparing(Gauge::kind).thenComparing(Gauge::of).compare(this, other);
  }
}
