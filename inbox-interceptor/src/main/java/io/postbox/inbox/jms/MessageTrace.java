package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxRequest.Origin;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a message comes from, for a trace.
 *
 * @param traceParent the span that sent it, by W3C Trace Context
 * @param traceState the state of that trace
 * @param system the kind of broker, as OpenTelemetry names it, if known
 * @param destination the broker's name of the queue or topic
 */
public record MessageTrace(
    Optional<String> traceParent,
    Optional<String> traceState,
    Optional<String> system,
    Optional<String> destination) {

  private static final Pattern SPAN =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

  /**
   * Reads a message's headers and properties.
   *
   * @throws JMSException if the provider cannot read them
   */
  public static MessageTrace of(Message message) throws JMSException {
    return new MessageTrace(
        text(message, OutboxProperties.TRACE_PARENT),
        text(message, OutboxProperties.TRACE_STATE),
        Optional.of("jms"),
        Optional.ofNullable(Destinations.name(message.getJMSDestination()))
            .map(name -> name.substring(name.indexOf(':') + 1)));
  }

  /** Reads a request's headers; empty if they name no span. */
  public static Optional<MessageTrace> of(InboxRequest request) {
    Optional<String> parent =
        request.lastHeader(OutboxProperties.TRACE_PARENT).filter(it -> SPAN.matcher(it).matches());
    return parent.map(
        it ->
            new MessageTrace(
                parent,
                request.lastHeader(OutboxProperties.TRACE_STATE),
                Optional.empty(),
                request.origin().map(Origin::name)));
  }

  private static Optional<String> text(Message message, String property) throws JMSException {
    return message.getObjectProperty(property) instanceof String text
        ? Optional.of(text)
        : Optional.empty();
  }
}
