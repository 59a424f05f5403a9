package io.postbox.inbox;

import io.postbox.common.MessageFilter;
import io.postbox.common.PayloadCipher;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Selects parked or quarantined messages that meet all criteria. Immutable and thread-safe; every
 * method returns a new filter. Texts compare exactly, letter case included.
 */
public final class KeptFilter extends MessageFilter<KeptFilter.Criterion> {
  private static final long serialVersionUID = 1L;

  /** The criteria of a filter. */
  public enum Criterion {
    /** A set of {@link Long}. */
    IDS,
    /** A text. */
    CONSUMER,
    /** A text. */
    MESSAGE_ID,
    /** A text. */
    REASON,
    /** An {@link Instant}. */
    KEPT_FROM,
    /** An {@link Instant}. */
    KEPT_BEFORE,
    /** A text; only parked messages. */
    EVENT_TYPE,
    /** A text; only parked messages. */
    AGGREGATE_TYPE,
    /** A text; only parked messages. */
    AGGREGATE_ID,
    /** A text; only parked messages. */
    SIGNATURE,
    /** A text; only parked messages. */
    ERROR_CONTAINS;

    /**
     * Whether the criterion applies to quarantined messages, for which the inbox stores fewer
     * values.
     */
    public boolean isKnownOfQuarantined() {
      return compareTo(EVENT_TYPE) < 0;
    }
  }

  private static final KeptFilter ALL = new KeptFilter(Map.of());

  private KeptFilter(Map<Criterion, Object> criteria) {
    super(criteria);
  }

  /** Every message. */
  public static KeptFilter all() {
    return ALL;
  }

  /** Only the message in this row. */
  public KeptFilter id(long id) {
    return ids(Set.of(id));
  }

  /** Only the messages in these rows, 1 to 1,000. */
  public KeptFilter ids(Collection<Long> ids) {
    return with(Criterion.IDS, checked(ids));
  }

  /** Only those of this consumer. */
  public KeptFilter consumer(String name) {
    return with(Criterion.CONSUMER, name);
  }

  /** Only those with this message id. */
  public KeptFilter messageId(String id) {
    return with(Criterion.MESSAGE_ID, id);
  }

  /**
   * Only those kept aside for this reason, as it is stored, for instance {@code REJECTED}. Without
   * it, messages that go on by themselves ({@code EARLY}, {@code DELAYED}, {@code HANDED_BACK}) are
   * left out, but early ones that are named by {@link #ids}.
   */
  public KeptFilter reason(String reason) {
    return with(Criterion.REASON, reason);
  }

  /** Only those kept aside at this time or later, by the database's clock. */
  public KeptFilter keptFrom(Instant time) {
    return with(Criterion.KEPT_FROM, time);
  }

  /** Only those kept aside before this time, by the database's clock. */
  public KeptFilter keptBefore(Instant time) {
    return with(Criterion.KEPT_BEFORE, time);
  }

  /** Only those of this event type; only for parked messages. */
  public KeptFilter event(String type) {
    return with(Criterion.EVENT_TYPE, type);
  }

  /** Only those about this aggregate; only for parked messages. */
  public KeptFilter aggregate(String type, Object id) {
    return with(Criterion.AGGREGATE_TYPE, type).with(Criterion.AGGREGATE_ID, id.toString());
  }

  /**
   * Only those whose last error has this signature, which is the same for all errors of one cause;
   * only for parked messages.
   */
  public KeptFilter signature(String signature) {
    return with(Criterion.SIGNATURE, signature);
  }

  /**
   * Only those whose last error contains this text; only for parked messages. Fails with an {@link
   * IllegalArgumentException} if the application has a {@link PayloadCipher}, because errors are
   * then encrypted: use {@link #signature}.
   */
  public KeptFilter errorContains(String text) {
    return with(Criterion.ERROR_CONTAINS, text);
  }

  private KeptFilter with(Criterion criterion, Object value) {
    return new KeptFilter(and(criterion, value));
  }
}
