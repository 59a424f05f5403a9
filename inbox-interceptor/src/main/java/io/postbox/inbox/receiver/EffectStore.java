package io.postbox.inbox.receiver;

import java.util.Optional;

/**
 * Records outside effects. Each call is a transaction of its own and fails with an {@link
 * io.postbox.inbox.InboxException}. Thread-safe.
 */
public interface EffectStore {

  /** The result of an effect; empty if none is recorded. */
  Optional<String> recall(String consumer, String messageId, String effect);

  /**
   * Records an effect's result, unless another delivery has recorded one already.
   *
   * @return the recorded result
   */
  String remember(String consumer, String messageId, String effect, String returned);
}
