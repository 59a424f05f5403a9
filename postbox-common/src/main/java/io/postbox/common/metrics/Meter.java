package io.postbox.common.metrics;

import java.util.ArrayList;
import java.util.List;

/**
 * The identity of one series of a metric. Each metrics system has its own convention for names, so
 * the name has neither prefix nor suffix.
 *
 * @param module {@code outbox} or {@code inbox}
 * @param name words in lower case, joined by underscores, without the unit
 * @param description for people who read it among hundreds of others
 * @param unit of a gauge; counters have none, and timers measure seconds
 * @param tags the same names for all series of a metric
 */
public record Meter(String module, String name, String description, Unit unit, List<Tag> tags) {

  /** Keeps a copy. */
  public Meter {
    tags = List.copyOf(tags);
  }

  /** A tag. */
  public record Tag(String name, String value) {}

  /** A unit. */
  public enum Unit {
    /** A number of things, or 0 and 1. */
    NONE(""),
    /** Seconds. */
    SECONDS("seconds"),
    /** Bytes. */
    BYTES("bytes");

    private final String word;

    Unit(String word) {
      this.word = word;
    }

    /** The unit as a word in lower case; nothing for numbers. */
    public String word() {
      return word;
    }
  }

  /** A series of a service. */
  public static Meter of(String module, String service, String name, String description) {
    return new Meter(module, name, description, Unit.NONE, List.of(new Tag("service", service)));
  }

  /** The same metric in another unit. */
  public Meter in(Unit other) {
    return new Meter(module, name, description, other, tags);
  }

  /** A series of the same metric with one more tag. */
  public Meter with(String tag, String value) {
    List<Tag> more = new ArrayList<>(tags);
    more.add(new Tag(tag, value));
    return new Meter(module, name, description, unit, more);
  }
}
