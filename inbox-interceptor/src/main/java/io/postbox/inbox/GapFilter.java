package io.postbox.inbox;

import io.postbox.common.MessageFilter;
import java.time.Instant;
import java.util.Map;

/**
 * Selects gaps in the order of versions that meet all criteria. Immutable and thread-safe; every
 * method returns a new filter. Texts compare exactly, letter case included.
 */
public final class GapFilter extends MessageFilter<GapFilter.Criterion> {
  private static final long serialVersionUID = 1L;

  /** The criteria of a filter. */
  public enum Criterion {
    /** A text. */
    CONSUMER,
    /** A text. */
    AGGREGATE_TYPE,
    /** A text. */
    AGGREGATE_ID,
    /** An {@link Instant}. */
    MISSING_BEFORE
  }

  private static final GapFilter ALL = new GapFilter(Map.of());

  private GapFilter(Map<Criterion, Object> criteria) {
    super(criteria);
  }

  /** Every gap. */
  public static GapFilter all() {
    return ALL;
  }

  /** Only those of this consumer. */
  public GapFilter consumer(String name) {
    return with(Criterion.CONSUMER, name);
  }

  /** Only that of this aggregate, for each consumer. */
  public GapFilter aggregate(String type, Object id) {
    return with(Criterion.AGGREGATE_TYPE, type).with(Criterion.AGGREGATE_ID, id.toString());
  }

  /** Only those whose next version was missing before this time, by the database's clock. */
  public GapFilter missingBefore(Instant time) {
    return with(Criterion.MISSING_BEFORE, time);
  }

  private GapFilter with(Criterion criterion, Object value) {
    return new GapFilter(and(criterion, value));
  }
}
