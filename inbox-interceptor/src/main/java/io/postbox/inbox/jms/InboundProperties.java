package io.postbox.inbox.jms;

import java.util.List;

/** The names of the message properties that the inbox reads; the outbox sets them. */
final class InboundProperties {
  /** The message id, a UUID in its canonical text form. */
  static final String MESSAGE_ID = "OutboxMessageId";

  /** The service that sent the message. */
  static final String SOURCE = "OutboxSource";

  /** What the inbox's row keeps beside the id, for whoever looks at it. */
  static final List<String> KEPT =
      List.of("OutboxEventType", "OutboxAggregateType", "OutboxAggregateId", "traceparent");

  private InboundProperties() {}
}
