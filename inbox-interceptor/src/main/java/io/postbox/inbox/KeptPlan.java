package io.postbox.inbox;

import io.postbox.common.PlanToken;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;

/**
 * The messages that a redrive or discard would touch. {@link ParkedMessages#plan} and {@link
 * QuarantinedMessages#plan} make it. It is valid for one redrive or discard of these messages by
 * the same principal, on any node, within an hour. What counts is what the inbox has on record: a
 * plan that the application has constructed is refused. Immutable and thread-safe.
 *
 * @param token names the plan
 * @param kind parked or quarantined messages
 * @param filter selects the messages
 * @param upTo only rows up to this id, the highest there was; 0 if there was none
 * @param consumers the messages by consumer; consumers without any are left out
 */
public record KeptPlan(
    PlanToken token, Kind kind, KeptFilter filter, long upTo, List<ForConsumer> consumers)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Keeps a copy. */
  public KeptPlan {
    consumers = List.copyOf(consumers);
  }

  /** The kind of kept messages. */
  public enum Kind {
    /** Messages that their handler could not handle. */
    PARKED,
    /** Deliveries without a usable id, or with a known id and other content. */
    QUARANTINED
  }

  /**
   * The messages of one consumer.
   *
   * @param consumer its name
   * @param messages how many
   * @param oldest when the first of them was kept aside, by the database's clock
   * @param newest when the last of them was kept aside, by the database's clock
   */
  public record ForConsumer(String consumer, long messages, Instant oldest, Instant newest)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** How many messages. */
  public long messages() {
    return consumers.stream().mapToLong(ForConsumer::messages).sum();
  }
}
