package io.postbox.inbox.receiver;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records outside effects. Each call is a transaction of its own and fails with an {@link
 * io.postbox.inbox.InboxException}. Thread-safe.
 */
public interface EffectStore {

  /**
   * An effect that was made.
   *
   * @param result what the call returned; null if that could not be stored
   */
  record Made(@Nullable String result) {}

  /** A recorded effect; empty if none is recorded. */
  Optional<Made> recall(String consumer, String messageId, String effect);

  /**
   * Records an effect, unless another delivery has recorded it already.
   *
   * @return the recorded one
   */
  Made remember(String consumer, String messageId, String effect, Made made);
}
