package io.postbox.outbox.jms;

import static io.postbox.common.OutboxProperties.AGGREGATE_ID;
import static io.postbox.common.OutboxProperties.AGGREGATE_TYPE;
import static io.postbox.common.OutboxProperties.AGGREGATE_VERSION;
import static io.postbox.common.OutboxProperties.CONTENT_TYPE;
import static io.postbox.common.OutboxProperties.CREATED_AT;
import static io.postbox.common.OutboxProperties.DATA_SUBJECT;
import static io.postbox.common.OutboxProperties.EVENT_TYPE;
import static io.postbox.common.OutboxProperties.GROUP_ID;
import static io.postbox.common.OutboxProperties.MESSAGE_ID;
import static io.postbox.common.OutboxProperties.SCHEMA_VERSION;
import static io.postbox.common.OutboxProperties.SOURCE;
import static io.postbox.common.OutboxProperties.TRACE_PARENT;
import static io.postbox.common.OutboxProperties.TRACE_STATE;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the JMS message of a row, with the properties of the contract.
 *
 * @param service the sending service
 * @param duplicateDetection whether the broker rejects repeated messages
 * @param duplicateIds makes the ids by which it recognises them
 */
public record JmsMessages(
    String service, DuplicateDetection duplicateDetection, DuplicateDetectionIds duplicateIds) {
  /** The property by which Apache Artemis recognises a repeated message. */
  private static final String ARTEMIS_DUPLICATE_ID = "_AMQ_DUPL_ID";

  /**
   * As configured; with xa there are no repeated messages for the broker to recognise.
   *
   * @param secret the service's key
   */
  public static JmsMessages of(OutboxConfig config, byte[] secret) {
    return new JmsMessages(
        config.service(),
        config.delivery() == Delivery.XA ? DuplicateDetection.NONE : config.duplicateDetection(),
        new DuplicateDetectionIds(config.service(), secret));
  }

  /**
   * Builds all but {@code JMSReplyTo}.
   *
   * @param trace what the message carries on
   * @throws IllegalArgumentException if the row's headers cannot be read
   */
  public Message build(Session session, StoredMessage stored, Headers headers, TraceContext trace)
      throws JMSException {
    Envelope envelope = stored.envelope();
    Message message = body(session, envelope);
    for (Map.Entry<String, Object> property : headers.properties().entrySet()) {
      message.setObjectProperty(property.getKey(), property.getValue());
    }
    message.setStringProperty(MESSAGE_ID, envelope.id().toString());
    message.setStringProperty(SOURCE, service);
    message.setStringProperty(CONTENT_TYPE, envelope.contentType());
    message.setStringProperty(CREATED_AT, stored.createdAt().toString());
    set(message, EVENT_TYPE, envelope.eventType());
    set(message, AGGREGATE_TYPE, envelope.aggregateType());
    set(message, AGGREGATE_ID, envelope.aggregateId());
    set(message, DATA_SUBJECT, envelope.dataSubject());
    set(message, SCHEMA_VERSION, envelope.schemaVersion());
    set(message, GROUP_ID, envelope.orderingKey());
    if (duplicateDetection == DuplicateDetection.ARTEMIS) {
      message.setStringProperty(ARTEMIS_DUPLICATE_ID, duplicateIds.of(stored));
    }
    set(message, TRACE_PARENT, trace.traceParent().orElse(null));
    set(message, TRACE_STATE, trace.traceState().orElse(null));
    if (headers.aggregateVersion() != null) {
      message.setLongProperty(AGGREGATE_VERSION, headers.aggregateVersion());
    }
    if (envelope.eventType() != null) {
      message.setJMSType(envelope.eventType());
    }
    if (headers.correlationId() != null) {
      message.setJMSCorrelationID(headers.correlationId());
    }
    return message;
  }

  private static Message body(Session session, Envelope envelope) throws JMSException {
    if (envelope.body() instanceof Body.Text text) {
      return session.createTextMessage(text.value());
    }
    if (envelope.body() instanceof Body.Bytes bytes) {
      BytesMessage message = session.createBytesMessage();
      message.writeBytes(bytes.value());
      return message;
    }
    throw new IllegalArgumentException("the payload is not open: " + envelope);
  }

  private static void set(Message message, String name, @Nullable String value)
      throws JMSException {
    if (value != null) {
      message.setStringProperty(name, value);
    }
  }
}
