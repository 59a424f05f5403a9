package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.common.text.Storable;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.OfAnother;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message's id only from the place that the consumer's annotation names, and not at all if
 * the message is for another consumer.
 */
final class MessageIds {
  private static final int LONGEST = 200;
  private static final Pattern CANONICAL_UUID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private MessageIds() {}

  static MessageId read(
      Consumer consumer, Message message, Resolvers resolvers, ProvenProperties proven)
      throws JMSException {
    String onlyFor = proven.onlyFor();
    if (onlyFor != null && !onlyFor.equals(consumer.name())) {
      return new OfAnother(onlyFor);
    }
    if (consumer.idFrom() == IdFrom.RESOLVER) {
      return ResolvedIds.read(consumer.name(), resolvers.of(consumer.resolver()), message);
    }
    Object found =
        switch (consumer.idFrom()) {
          case OUTBOX_MESSAGE_ID -> message.getObjectProperty(OutboxProperties.MESSAGE_ID);
          case PROPERTY -> message.getObjectProperty(consumer.property());
          case JMS_MESSAGE_ID -> ofBroker(message, proven);
          case RESOLVER -> throw new IllegalStateException("a resolver was asked before");
        };
    return judge(found, consumer.idFrom() == IdFrom.OUTBOX_MESSAGE_ID);
  }

  /** The JMSMessageID; a copy has that of its original as a property. */
  static @Nullable Object ofBroker(Message message, ProvenProperties proven) throws JMSException {
    return proven.isCopy() ? proven.messageId() : message.getJMSMessageID();
  }

  /** The inbox compares ids byte by byte, so a UUID must have the form that the outbox writes. */
  static MessageId judge(@Nullable Object found, boolean uuid) {
    if (found == null) {
      return new Unusable(QuarantineReason.MISSING_ID);
    }
    if (!(found instanceof String id)) {
      return new Unusable(QuarantineReason.WRONG_ID_TYPE);
    }
    if (id.isBlank()) {
      return new Unusable(QuarantineReason.BLANK_ID);
    }
    if (id.length() > LONGEST) {
      return new Unusable(QuarantineReason.ID_TOO_LONG);
    }
    if (!Storable.is(id) || (uuid && !CANONICAL_UUID.matcher(id).matches())) {
      return new Unusable(QuarantineReason.MALFORMED_ID);
    }
    return new Known(id);
  }
}
