package io.postbox.sample.events;

import io.postbox.inbox.RejectedMessageException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;

/**
 * A deliberate trouble with an order, so that a visitor can watch what Postbox does about it. A
 * message carries the kind that its handler causes as a property, which survives every retry,
 * parking and redrive.
 */
public enum Trouble {
  /** The handler fails at its first attempt. */
  FAILS_ONCE,
  /** The handler fails until somebody mends it. */
  FAILS_ALWAYS,
  /** The order goes to a destination that the server does not have. */
  NO_DESTINATION;

  /** The property that names the trouble. */
  public static final String PROPERTY = "SampleTrouble";

  /**
   * The trouble that a message should cause.
   *
   * @throws RejectedMessageException if its properties cannot be read, or if it names an unknown
   *     trouble
   */
  public static Optional<Trouble> of(Message message) {
    try {
      String name = message.getStringProperty(PROPERTY);
      return name == null ? Optional.empty() : Optional.of(valueOf(name));
    } catch (JMSException e) {
      throw new RejectedMessageException("The message's properties cannot be read.", e);
    } catch (IllegalArgumentException e) {
      throw new RejectedMessageException("The message names an unknown trouble.", e);
    }
  }
}
