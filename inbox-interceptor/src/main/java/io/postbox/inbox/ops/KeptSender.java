package io.postbox.inbox.ops;

/** Sends messages that were kept aside. Thread-safe. */
public interface KeptSender {

  /**
   * Sends a message; when this returns, the broker has it for good.
   *
   * @throws NotSentException if it was not sent, or perhaps not
   */
  void send(Outgoing message);
}
