package io.postbox.inbox.ops;

import io.postbox.common.config.Durations;
import io.postbox.common.store.AuditStore;
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

  /** A day's table is dropped a day after its last id has expired. */
  private static final Duration DAY_OF_TABLE = Duration.ofDays(2);

  /** In service uptime. */
  Duration of(Kept kept, String consumer) {
    return Durations.longer(of(kept, config.of(consumer)), of(kept, policies.of(consumer)));
  }

  private Duration of(Kept kept, ConsumerConfig consumer) {
    return switch (kept) {
      case MESSAGE, STORED -> Durations.longer(consumer.retention(), longestTrying(consumer));
      case FAILURE, RESULT -> Durations.longer(memory(consumer), longestTrying(consumer));
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
    return Durations.shorter(trying, CENTURY);
  }

  /** The longest time for which any consumer remembers an id. */
  Duration longestMemory() {
    return config.longestRetention();
  }

  /** The longest of these periods, in service uptime. */
  Duration longest() {
    return policies.named().stream()
        .map(consumer -> of(Kept.FAILURE, consumer))
        .reduce(of(Kept.FAILURE, config.others()), Durations::longer);
  }

  /** In wall-clock time. */
  Duration ofAudit() {
    return AuditStore.kept(config.others().retention());
  }

  /** In wall-clock time. */
  Duration ofActions() {
    return config.others().retention();
  }
}
