package io.postbox.inbox;

import io.postbox.common.MessageFilter;
import io.postbox.inbox.FoundMessage.Place;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * Selects messages that meet all criteria, for {@link MessageLookup}. Immutable and thread-safe;
 * every method returns a new filter. Texts compare exactly, letter case included.
 */
public final class LookupFilter extends MessageFilter<LookupFilter.Criterion> {
  private static final long serialVersionUID = 1L;

  /** The criteria of a filter. */
  public enum Criterion {
    /** A set of the names of {@link Place}. */
    PLACE,
    /** A text. */
    CONSUMER,
    /** A text. */
    MESSAGE_ID,
    /** An {@link Instant}. */
    FROM,
    /** An {@link Instant}. */
    BEFORE,
    /** A text; only parked and quarantined messages. */
    REASON,
    /** A text; only parked, captured and retried messages. */
    EVENT_TYPE,
    /** A text; only parked, captured and retried messages. */
    AGGREGATE_TYPE,
    /** A text; only parked, captured and retried messages. */
    AGGREGATE_ID,
    /** A text; only parked messages, and failures. */
    SIGNATURE
  }

  private static final LookupFilter ALL = new LookupFilter(Map.of());

  private LookupFilter(Map<Criterion, Object> criteria) {
    super(criteria);
  }

  /** Every message. */
  public static LookupFilter all() {
    return ALL;
  }

  /**
   * Only those with a row in one of these tables.
   *
   * @throws IllegalArgumentException if none is named
   */
  public LookupFilter place(Place... any) {
    return with(Criterion.PLACE, checked(Set.of(any).stream().map(Place::name).sorted().toList()));
  }

  /** Only those of this consumer. */
  public LookupFilter consumer(String name) {
    return with(Criterion.CONSUMER, name);
  }

  /** Only those with this message id. */
  public LookupFilter messageId(String id) {
    return with(Criterion.MESSAGE_ID, id);
  }

  /**
   * Only those handled, kept aside, stored or failed at this time or later, by the database's
   * clock.
   */
  public LookupFilter from(Instant time) {
    return with(Criterion.FROM, time);
  }

  /** Only those handled, kept aside, stored or failed before this time, by the database's clock. */
  public LookupFilter before(Instant time) {
    return with(Criterion.BEFORE, time);
  }

  /** Only those kept aside for this reason, as it is stored, for instance {@code REJECTED}. */
  public LookupFilter reason(String reason) {
    return with(Criterion.REASON, reason);
  }

  /** Only parked, captured and retried ones of this event type. */
  public LookupFilter event(String type) {
    return with(Criterion.EVENT_TYPE, type);
  }

  /** Only parked, captured and retried ones about this aggregate. */
  public LookupFilter aggregate(String type, Object id) {
    return with(Criterion.AGGREGATE_TYPE, type).with(Criterion.AGGREGATE_ID, id.toString());
  }

  /**
   * Only parked, captured and retried ones about an aggregate with this id, whatever its type: an
   * order's number.
   */
  public LookupFilter aggregateId(Object id) {
    return with(Criterion.AGGREGATE_ID, id.toString());
  }

  /** Only those whose error has this signature, which is the same for all errors of one cause. */
  public LookupFilter signature(String signature) {
    return with(Criterion.SIGNATURE, signature);
  }

  private LookupFilter with(Criterion criterion, Object value) {
    return new LookupFilter(and(criterion, value));
  }
}
