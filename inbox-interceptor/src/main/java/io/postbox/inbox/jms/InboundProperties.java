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

  /** What the message tells of. */
  static final String EVENT_TYPE = "OutboxEventType";

  /** What the message is about. */
  static final String AGGREGATE_TYPE = "OutboxAggregateType";

  /** Which one of these. */
  static final String AGGREGATE_ID = "OutboxAggregateId";

  /** Which version of it, a whole number. */
  static final String AGGREGATE_VERSION = "OutboxAggregateVersion";

  /** What the inbox's row keeps beside the id, for whoever looks at it. */
  static final List<String> KEPT =
      List.of(EVENT_TYPE, AGGREGATE_TYPE, AGGREGATE_ID, AGGREGATE_VERSION, "traceparent");

  private InboundProperties() {}
}
