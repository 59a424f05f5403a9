package io.postbox.inbox.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a message's turn is, if it is captured.
 *
 * @param orderingKey its ordering key: the messages of a consumer with the same one are handled one
 *     after the other; 1 to 200 characters, or {@code null}
 * @param priority from 0 to 9; those with a higher one are handled first
 * @param notBefore when it may be handled; {@code null} for at once, and with an ordering key
 */
public record Schedule(@Nullable String orderingKey, int priority, @Nullable Instant notBefore) {
  /** The highest priority. */
  public static final int HIGHEST_PRIORITY = 9;

  /** The priority of messages without one, as in JMS. */
  public static final int NORMAL_PRIORITY = 4;

  /** No order, normal priority, at once. */
  public static final Schedule PLAIN = new Schedule(null, NORMAL_PRIORITY, null);
}
