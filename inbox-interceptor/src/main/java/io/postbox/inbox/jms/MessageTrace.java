package io.postbox.inbox.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;

/**
 * Where a message comes from, for a trace.
 *
 * @param traceParent the span that sent it, by W3C Trace Context
 * @param traceState the state of that trace
 * @param destination the broker's name of the queue or topic
 */
public record MessageTrace(
    Optional<String> traceParent, Optional<String> traceState, Optional<String> destination) {

  /**
   * Reads a message's headers and properties.
   *
   * @throws JMSException if the provider cannot read them
   */
  public static MessageTrace of(Message message) throws JMSException {
    return new MessageTrace(
        text(message, InboundProperties.TRACE_PARENT),
        text(message, InboundProperties.TRACE_STATE),
        Optional.ofNullable(Destinations.name(message.getJMSDestination()))
            .map(name -> name.substring(name.indexOf(':') + 1)));
  }

  private static Optional<String> text(Message message, String property) throws JMSException {
    return message.getObjectProperty(property) instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }
}
