package io.postbox.inbox.ops;

import java.util.Optional;

/** Sends messages that were kept aside. Thread-safe. */
public interface KeptSender {

  /**
   * Sends a message, and returns after the broker has committed it.
   *
   * @throws NotSentException if it was not sent, or the outcome is unknown
   */
  void send(Outgoing message);

  /**
   * The id that the broker gave the first delivery of a message, which resent copies carry too;
   * empty if there is none.
   *
   * @param properties all headers and properties, as they were stored
   */
  Optional<String> firstId(String properties);
}
