package io.postbox.outbox;

import io.postbox.common.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * How failures of messages to one destination are recovered from, where an operator wants that
 * other than configured; an empty part stays as configured. Immutable and thread-safe; every method
 * returns a new policy. Bounds are checked by {@link OutboxPolicies#set}.
 *
 * @param retries how often and after which waits
 * @param onDeadLetter the fate of the messages behind a dead letter with their key
 */
public record OutboxPolicy(RetryPolicy retries, Optional<OnDeadLetter> onDeadLetter) {
  private static final OutboxPolicy AS_CONFIGURED =
      new OutboxPolicy(RetryPolicy.asConfigured(), Optional.empty());

  /** The fate of the messages behind a dead letter with the same ordering key. */
  public enum OnDeadLetter {
    /** They wait until an operator has redriven or discarded the dead letter. */
    HOLD,
    /** They are sent without it. */
    CONTINUE
  }

  /** All as configured. */
  public static OutboxPolicy asConfigured() {
    return AS_CONFIGURED;
  }

  /** As {@link RetryPolicy#maxAttempts(int)}. */
  public OutboxPolicy maxAttempts(int attempts) {
    return new OutboxPolicy(retries.maxAttempts(attempts), onDeadLetter);
  }

  /** As {@link RetryPolicy#firstBackoff(Duration)}. */
  public OutboxPolicy firstBackoff(Duration wait) {
    return new OutboxPolicy(retries.firstBackoff(wait), onDeadLetter);
  }

  /** As {@link RetryPolicy#maxBackoff(Duration)}. */
  public OutboxPolicy maxBackoff(Duration wait) {
    return new OutboxPolicy(retries.maxBackoff(wait), onDeadLetter);
  }

  /** Another fate of the followers, as {@code on-dead-letter} in the configuration. */
  public OutboxPolicy onDeadLetter(OnDeadLetter choice) {
    return new OutboxPolicy(retries, Optional.of(choice));
  }
}
