package io.postbox.it.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.postbox.inbox.Inbox;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Notes the span that it runs in, and enqueues a follow-up. */
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/traced"))
@Inbox("traced")
public class TracedMdb implements MessageListener {
  @Inject Outbox outbox;
  @Inject HandlerSpans spans;

  @Override
  public void onMessage(Message message) {
    SpanContext span = Span.current().getSpanContext();
    try {
      spans.add(message.getStringProperty("traceparent"), span.getTraceId(), span.getSpanId());
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
    outbox.enqueue(OutboxMessage.to("captured").text("follow-up"));
  }
}
