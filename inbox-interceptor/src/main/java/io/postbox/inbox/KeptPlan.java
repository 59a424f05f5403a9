package io.postbox.inbox;

import java.time.Instant;
import java.util.List;

/**
 * What a redrive or discard would touch. Made by {@link ParkedMessages#plan} and {@link
 * QuarantinedMessages#plan}, and good for these only.
 *
 * @param kind parked or quarantined messages
 * @param filter which of them
 * @param upTo only rows up to this id, the highest there was; 0 if there was none
 * @param consumers what was found, by consumer; those with none are left out
 */
public record KeptPlan(Kind kind, KeptFilter filter, long upTo, List<ForConsumer> consumers) {
  /** Keeps a copy. */
  public KeptPlan {
    consumers = List.copyOf(consumers);
  }

  /** What is kept aside. */
  public enum Kind {
    /** Messages that their handler could not handle. */
    PARKED,
    /** Deliveries without a usable id, or with a known id and other content. */
    QUARANTINED
  }

  /**
   * What was found for one consumer.
   *
   * @param consumer its name
   * @param messages how many
   * @param oldest when the first of them was kept aside, by the database's clock
   * @param newest when the last of them was kept aside, by the database's clock
   */
  public record ForConsumer(String consumer, long messages, Instant oldest, Instant newest) {}

  /** How many messages. */
  public long messages() {
    return consumers.stream().mapToLong(ForConsumer::messages).sum();
  }
}
