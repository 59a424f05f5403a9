package io.postbox.common;

/**
 * The names of the JMS properties that the relay sets on every message, and which the inbox reads.
 * They are a contract with the consumers and do not change within a major version.
 */
public final class OutboxProperties {
  /** The message id, a UUID in its canonical text form: the idempotency key. */
  public static final String MESSAGE_ID = "OutboxMessageId";

  /** The event type, also set as {@code JMSType}. */
  public static final String EVENT_TYPE = "OutboxEventType";

  /** The type of the aggregate that the message is about. */
  public static final String AGGREGATE_TYPE = "OutboxAggregateType";

  /** The id of the aggregate that the message is about. */
  public static final String AGGREGATE_ID = "OutboxAggregateId";

  /** The version of the aggregate, a {@code long}. */
  public static final String AGGREGATE_VERSION = "OutboxAggregateVersion";

  /**
   * The person whom the message is about: a digest of the application's name for that person, by
   * which an inbox with the same {@code postbox.data-subject-secret} finds it for erasure.
   */
  public static final String DATA_SUBJECT = "OutboxDataSubject";

  /** The version of the payload's schema. */
  public static final String SCHEMA_VERSION = "OutboxSchemaVersion";

  /** The media type of the payload. */
  public static final String CONTENT_TYPE = "OutboxContentType";

  /** The service that enqueued the message. */
  public static final String SOURCE = "OutboxSource";

  /** When the message was enqueued, by the database's clock, as ISO-8601 in UTC. */
  public static final String CREATED_AT = "OutboxCreatedAt";

  /** The group of messages that keep their order: the ordering key. */
  public static final String GROUP_ID = "JMSXGroupID";

  /** The trace that the message belongs to, as W3C Trace Context writes it. */
  public static final String TRACE_PARENT = "traceparent";

  /** The vendors' state of that trace, in the form of W3C Trace Context. */
  public static final String TRACE_STATE = "tracestate";

  private OutboxProperties() {}
}
