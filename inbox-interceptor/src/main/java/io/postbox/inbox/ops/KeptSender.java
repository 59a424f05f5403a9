package io.postbox.inbox.ops;

import java.util.Optional;

/** Sends messages that were kept aside. Thread-safe. */
public interface KeptSender {

  /**
   * Sends a message; when this returns, the broker has it for good.
   *
   * @throws NotSentException if it was not sent, or perhaps not
   */
  void send(Outgoing message);

  /**
   * The id that the broker gave a message when it came first, which its copies tell too; empty if
   * it had none.
   *
   * @param properties all headers and properties, as they were kept
   */
  Optional<String> firstId(String properties);
}
