package io.postbox.outbox;

import io.postbox.common.MessageFilter;
import io.postbox.common.PayloadCipher;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Selects dead letters that meet all criteria. Immutable and thread-safe; every method returns a
 * new filter. Texts compare exactly, letter case included.
 */
public final class DeadLetterFilter extends MessageFilter<DeadLetterFilter.Criterion> {
  private static final long serialVersionUID = 1L;

  /** The criteria of a filter. */
  public enum Criterion {
    /** A set of {@link UUID}. */
    IDS,
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
    /** A text. */
    ERROR_CONTAINS,
    /** An {@link Instant}. */
    ENQUEUED_FROM,
    /** An {@link Instant}. */
    ENQUEUED_BEFORE
  }

  private static final DeadLetterFilter ALL = new DeadLetterFilter(Map.of());

  private DeadLetterFilter(Map<Criterion, Object> criteria) {
    super(criteria);
  }

  /** Every dead letter. */
  public static DeadLetterFilter all() {
    return ALL;
  }

  /** Only the one with this id. */
  public DeadLetterFilter id(UUID id) {
    return ids(Set.of(id));
  }

  /** Only those with these ids, 1 to 1,000. */
  public DeadLetterFilter ids(Collection<UUID> ids) {
    return with(Criterion.IDS, checked(ids));
  }

  /** Only those to this destination, by its logical name. */
  public DeadLetterFilter destination(String name) {
    return with(Criterion.DESTINATION, name);
  }

  /** Only those of this event type. */
  public DeadLetterFilter event(String type) {
    return with(Criterion.EVENT_TYPE, type);
  }

  /** Only those about this aggregate. */
  public DeadLetterFilter aggregate(String type, Object id) {
    return with(Criterion.AGGREGATE_TYPE, type).with(Criterion.AGGREGATE_ID, id.toString());
  }

  /** Only those with this ordering key. */
  public DeadLetterFilter orderedBy(String key) {
    return with(Criterion.ORDERING_KEY, key);
  }

  /**
   * Only those whose last error has this signature, which is the same for all errors of one cause.
   */
  public DeadLetterFilter signature(String signature) {
    return with(Criterion.SIGNATURE, signature);
  }

  /**
   * Only those whose last error contains this text. Fails with an {@link IllegalArgumentException}
   * if the application has a {@link PayloadCipher}, because errors are then encrypted: use {@link
   * #signature}.
   */
  public DeadLetterFilter errorContains(String text) {
    return with(Criterion.ERROR_CONTAINS, text);
  }

  /** Only those enqueued at this time or later, by the database's clock. */
  public DeadLetterFilter enqueuedFrom(Instant time) {
    return with(Criterion.ENQUEUED_FROM, time);
  }

  /** Only those enqueued before this time, by the database's clock. */
  public DeadLetterFilter enqueuedBefore(Instant time) {
    return with(Criterion.ENQUEUED_BEFORE, time);
  }

  private DeadLetterFilter with(Criterion criterion, Object value) {
    return new DeadLetterFilter(and(criterion, value));
  }
}
