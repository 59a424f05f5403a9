package io.postbox.test.inbox;

import jakarta.jms.Message;

/** Handles a message in the calling thread's transaction. */
@FunctionalInterface
public interface Handler {
  /**
   * Handles it.
   *
   * @throws Exception any exception of the application
   */
  void handle(Message message) throws Exception;
}
