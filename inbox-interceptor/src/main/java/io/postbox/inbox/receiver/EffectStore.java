package io.postbox.inbox.receiver;

import java.util.Optional;

/**
 * Remembers outside effects. Each call is a transaction of its own and fails with an {@link
 * io.postbox.inbox.InboxException}. Thread-safe.
 */
public interface EffectStore {

  /** What an effect returned; empty if it is not known to have been made. */
  Optional<String> recall(String consumer, String messageId, String effect);

  /**
   * Remembers what an effect returned, unless somebody else was quicker.
   *
   * @return what is remembered now
   */
  String remember(String consumer, String messageId, String effect, String returned);
}
