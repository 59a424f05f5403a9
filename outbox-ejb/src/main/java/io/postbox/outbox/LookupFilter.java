package io.postbox.outbox;

import io.postbox.common.MessageFilter;
import io.postbox.outbox.FoundMessage.Status;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Selects messages that meet all criteria, for {@link MessageLookup}. Immutable and thread-safe;
 * every method returns a new filter. Texts compare exactly, letter case included.
 */
public final class LookupFilter extends MessageFilter<LookupFilter.Criterion> {
  private static final long serialVersionUID = 1L;

  /** The criteria of a filter. */
  public enum Criterion {
    /** A set of {@link UUID}. */
    IDS,
    /** A set of the names of {@link Status}. */
    STATUS,
    /** A text. */
    DESTINATION,
    /** A text. */
    EVENT_TYPE,
    /** A text. */
    AGGREGATE_TYPE,
    /** A text. */
    AGGREGATE_ID,
    /** A text. */
    ORDERING_KEY,
    /** A text. */
    SIGNATURE,
    /** An {@link Instant}. */
    ENQUEUED_FROM,
    /** An {@link Instant}. */
    ENQUEUED_BEFORE,
    /** An {@link Instant}. */
    ENDED_FROM,
    /** An {@link Instant}. */
    ENDED_BEFORE
  }

  private static final LookupFilter ALL = new LookupFilter(Map.of());

  private LookupFilter(Map<Criterion, Object> criteria) {
    super(criteria);
  }

  /** Every message. */
  public static LookupFilter all() {
    return ALL;
  }

  /** Only the one with this id. */
  public LookupFilter id(UUID id) {
    return ids(Set.of(id));
  }

  /** Only those with these ids, 1 to 1,000. */
  public LookupFilter ids(Collection<UUID> ids) {
    return with(Criterion.IDS, checked(ids));
  }

  /**
   * Only those that are here on their way.
   *
   * @throws IllegalArgumentException if none is named
   */
  public LookupFilter status(Status... any) {
    return with(
        Criterion.STATUS, checked(Set.of(any).stream().map(Status::name).sorted().toList()));
  }

  /** Only those to this destination, by its logical name. */
  public LookupFilter destination(String name) {
    return with(Criterion.DESTINATION, name);
  }

  /** Only those of this event type. */
  public LookupFilter event(String type) {
    return with(Criterion.EVENT_TYPE, type);
  }

  /** Only those about this aggregate. */
  public LookupFilter aggregate(String type, Object id) {
    return with(Criterion.AGGREGATE_TYPE, type).with(Criterion.AGGREGATE_ID, id.toString());
  }

  /** Only those about an aggregate with this id, whatever its type: an order's number. */
  public LookupFilter aggregateId(Object id) {
    return with(Criterion.AGGREGATE_ID, id.toString());
  }

  /** Only those with this ordering key; without {@code orderedBy} it is {@code type/id}. */
  public LookupFilter orderedBy(String key) {
    return with(Criterion.ORDERING_KEY, key);
  }

  /**
   * Only those whose last error has this signature, which is the same for all errors of one cause.
   */
  public LookupFilter signature(String signature) {
    return with(Criterion.SIGNATURE, signature);
  }

  /** Only those enqueued at this time or later, by the database's clock. */
  public LookupFilter enqueuedFrom(Instant time) {
    return with(Criterion.ENQUEUED_FROM, time);
  }

  /** Only those enqueued before this time, by the database's clock. */
  public LookupFilter enqueuedBefore(Instant time) {
    return with(Criterion.ENQUEUED_BEFORE, time);
  }

  /**
   * Only those that were sent, were discarded or became dead letters at this time or later, by the
   * database's clock.
   */
  public LookupFilter endedFrom(Instant time) {
    return with(Criterion.ENDED_FROM, time);
  }

  /**
   * Only those that were sent, were discarded or became dead letters before this time, by the
   * database's clock.
   */
  public LookupFilter endedBefore(Instant time) {
    return with(Criterion.ENDED_BEFORE, time);
  }

  private LookupFilter with(Criterion criterion, Object value) {
    return new LookupFilter(and(criterion, value));
  }
}
