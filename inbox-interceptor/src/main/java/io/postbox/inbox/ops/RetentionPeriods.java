package io.postbox.inbox.ops;

import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.TablePartitioning;
import io.postbox.inbox.store.RetentionStore.Kept;
import java.time.Duration;

/**
 * The retention periods.
 *
 * @param config the inbox's configuration
 * @param policies the consumers' present settings
 */
record RetentionPeriods(InboxConfig config, RuntimePolicies policies) {
  private static final Duration CENTURY = Duration.ofDays(36_500);

  /** Long enough to have the audit of a whole year after its end; operators write few rows. */
  private static final Duration SHORTEST_RECORD = Duration.ofDays(400);

  /** A day's table is dropped a day after its last id has expired. */
  private static final Duration DAY_OF_TABLE = Duration.ofDays(2);

  /** In service uptime. */
  Duration of(Kept kept, String consumer) {
    return longer(of(kept, config.of(consumer)), of(kept, policies.of(consumer)));
  }

  private Duration of(Kept kept, ConsumerConfig consumer) {
    return switch (kept) {
      case MESSAGE, STORED -> longer(consumer.retention(), longestTrying(consumer));
      case FAILURE, RESULT -> longer(memory(consumer), longestTrying(consumer));
    };
  }

  private Duration memory(ConsumerConfig consumer) {
    return config.tablePartitioning() == TablePartitioning.DAILY
        ? longestMemory().plus(DAY_OF_TABLE)
        : consumer.retention();
  }

  /**
   * How long a message may be retried. Rows must live that long: if failures were deleted earlier,
   * the retries would never end; if the id of a copy that was handled meanwhile were deleted, the
   * message would be handled again. A policy makes that no shorter than configured: a message that
   * was delayed before may still be redelivered.
   */
  private static Duration longestTrying(ConsumerConfig consumer) {
    long tries = (long) consumer.maxAttempts() + consumer.maxTransientFailures();
    Duration trying = consumer.backoff().max().multipliedBy(tries);
    return trying.compareTo(CENTURY) < 0 ? trying : CENTURY;
  }

  /** The longest time for which any consumer remembers an id. */
  Duration longestMemory() {
    return config.longestRetention();
  }

  /** The longest of these periods, in service uptime. */
  Duration longest() {
    return policies.named().stream()
        .map(consumer -> of(Kept.FAILURE, consumer))
        .reduce(of(Kept.FAILURE, config.others()), RetentionPeriods::longer);
  }

  /** In wall-clock time. */
  Duration ofAudit() {
    return longer(SHORTEST_RECORD, config.others().retention());
  }

  /** In wall-clock time. */
  Duration ofActions() {
    return config.others().retention();
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }
}
