package io.postbox.inbox.jms;

import java.util.List;

/** The names of the message properties that the inbox reads; the outbox sets them. */
final class InboundProperties {
  /** The message id, a UUID in its canonical text form. */
  static final String MESSAGE_ID = "OutboxMessageId";

  /** When the message was enqueued, by the sender's database, in ISO 8601. */
  static final String CREATED_AT = "OutboxCreatedAt";

  /** The service that sent the message. */
  static final String SOURCE = "OutboxSource";

  /** The type of the event. */
  static final String EVENT_TYPE = "OutboxEventType";

  /** The type of the aggregate. */
  static final String AGGREGATE_TYPE = "OutboxAggregateType";

  /** The aggregate's id. */
  static final String AGGREGATE_ID = "OutboxAggregateId";

  /** The aggregate's version, a whole number. */
  static final String AGGREGATE_VERSION = "OutboxAggregateVersion";

  /** The media type of the body. */
  static final String CONTENT_TYPE = "OutboxContentType";

  /** The version of the body's schema. */
  static final String SCHEMA_VERSION = "OutboxSchemaVersion";

  /** The digest of whom the message is about. */
  static final String DATA_SUBJECT = "OutboxDataSubject";

  /** The ordering key. */
  static final String GROUP = "JMSXGroupID";

  /** The span that sent the message, by W3C Trace Context. */
  static final String TRACE_PARENT = "traceparent";

  /** The state of its trace. */
  static final String TRACE_STATE = "tracestate";

  /** The properties that the inbox's row stores beside the id, for readers of the table. */
  static final List<String> KEPT =
      List.of(EVENT_TYPE, AGGREGATE_TYPE, AGGREGATE_ID, AGGREGATE_VERSION, TRACE_PARENT);

  private InboundProperties() {}
}
