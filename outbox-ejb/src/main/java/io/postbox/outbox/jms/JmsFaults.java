package io.postbox.outbox.jms;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ResourceAllocationException;

/** Whose fault an exception is, by where and as what it comes: one table in one place. */
final class JmsFaults {
  private JmsFaults() {}

  /** No connection, no session, no transaction: nothing can be sent anywhere. */
  static SendFailure connecting(Exception failed) {
    return SendFailure.ofDestination("cannot connect: " + OutboxLog.reason(failed), failed);
  }

  /** The logical name leads nowhere. */
  static SendFailure resolving(String destination, String jndiName, Exception failed) {
    return SendFailure.ofDestination(
        "'%s' stands for the JNDI name %s, which leads to no JMS destination (%s); define it, or set postbox.outbox.destination.%s.jndi-name"
            .formatted(destination, jndiName, OutboxLog.reason(failed), destination),
        failed);
  }

  /** The row cannot be turned into a message. */
  static SendFailure building(StoredMessage message, Exception failed) {
    return SendFailure.ofMessage(message, "cannot be built: " + OutboxLog.reason(failed), failed);
  }

  /** The provider refused one message. */
  static SendFailure sending(StoredMessage message, JMSException failed) {
    String reason = OutboxLog.reason(failed);
    if (failed instanceof MessageFormatException
        || failed instanceof MessageNotWriteableException) {
      return SendFailure.ofMessage(message, reason, failed);
    }
    if (failed instanceof InvalidDestinationException
        || failed instanceof JMSSecurityException
        || failed instanceof ResourceAllocationException) {
      return SendFailure.ofDestination(reason, failed);
    }
    return SendFailure.unknown(reason, failed);
  }

  /** The commit failed, or its outcome is not known. */
  static SendFailure committing(Exception failed) {
    return SendFailure.unknown("commit: " + OutboxLog.reason(failed), failed);
  }
}
