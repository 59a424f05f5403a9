package io.postbox.outbox.jms;

import static java.util.Map.entry;

import io.postbox.common.log.Causes;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.relay.SendFailure.Fault;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ResourceAllocationException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides whose fault a JMS exception is, by its types and the providers' codes, in one table.
 *
 * <p>JMS has few exception types and no codes, and the commit of a JTA transaction does not even
 * throw a JMS exception. So the classifier checks the causes too, the deepest first, and knows the
 * providers' codes. A failure that is not in the table stays undecided until the relay has bisected
 * the batch.
 */
final class JmsFailureClassifier {
  /**
   * The exceptions of JMS itself, and those of a database in the same transaction, the outbox's or
   * the broker's: no message causes an outage or lack of space.
   */
  private static final Map<Class<? extends Exception>, Fault> TYPES =
      Map.of(
          SQLException.class, Fault.DESTINATION,
          InvalidDestinationException.class, Fault.DESTINATION,
          JMSSecurityException.class, Fault.DESTINATION,
          ResourceAllocationException.class, Fault.DESTINATION,
          MessageFormatException.class, Fault.MESSAGE,
          MessageNotWriteableException.class, Fault.MESSAGE);

  /**
   * The providers' codes: the type of error or the number of the text with Artemis; the number of
   * the text or the exception's name with Liberty's messaging. Left out on purpose: Artemis'
   * IO_ERROR and LARGE_MESSAGE_ERROR_BODY, which may be the message's fault or a disk's.
   */
  private static final Map<String, Fault> CODES =
      Map.ofEntries(
          // Artemis: not connected, or connection lost
          entry("NOT_CONNECTED", Fault.DESTINATION),
          entry("CONNECTION_TIMEDOUT", Fault.DESTINATION),
          entry("DISCONNECTED", Fault.DESTINATION),
          entry("REMOTE_DISCONNECT", Fault.DESTINATION),
          entry("UNBLOCKED", Fault.DESTINATION),
          entry("OBJECT_CLOSED", Fault.DESTINATION),
          entry("SESSION_CREATION_REJECTED", Fault.DESTINATION),
          entry("TRANSACTION_OUTCOME_UNKNOWN", Fault.DESTINATION),
          entry("TRANSACTION_ROLLED_BACK", Fault.DESTINATION),
          // Artemis: the address does not accept it
          entry("ADDRESS_FULL", Fault.DESTINATION),
          entry("ADDRESS_DOES_NOT_EXIST", Fault.DESTINATION),
          entry("QUEUE_DOES_NOT_EXIST", Fault.DESTINATION),
          entry("SECURITY_EXCEPTION", Fault.DESTINATION),
          // Artemis: the message's properties are too large for the journal
          entry("AMQ149005", Fault.MESSAGE),
          entry("DUPLICATE_ID_REJECTED", Fault.DUPLICATE),
          // Liberty: not connected, or connection lost
          entry("SIResourceException", Fault.DESTINATION),
          entry("SIAuthenticationException", Fault.DESTINATION),
          entry("SIConnectionUnavailableException", Fault.DESTINATION),
          entry("SIConnectionDroppedException", Fault.DESTINATION),
          entry("SIConnectionLostException", Fault.DESTINATION),
          // Liberty: the queue does not exist, is closed for senders, or is full
          entry("CWSIK0015E", Fault.DESTINATION),
          entry("CWSIK0017E", Fault.DESTINATION),
          entry("CWSIK0025E", Fault.DESTINATION),
          entry("SINotAuthorizedException", Fault.DESTINATION));

  /** The name of the exception, then what Artemis puts around its text, then the text's number. */
  private static final Pattern CODE =
      Pattern.compile(
          "^[\\w.$]*?([\\w$]+)(?:: (?:\\[errorType=(\\w+) message=)?((?:AMQ|CWS)\\w+)?.*)?$",
          Pattern.DOTALL);

  private JmsFailureClassifier() {}

  /** No connection, no session, no transaction: nothing can be sent anywhere. */
  static SendFailure connecting(Exception failed) {
    return SendFailure.ofDestination("cannot connect: " + OutboxLog.reason(failed), failed);
  }

  /** No JMS destination is bound to the logical name's JNDI name. */
  static SendFailure resolving(String destination, String jndiName, Exception failed) {
    return SendFailure.ofDestination(
        "no JMS destination is bound to %s, the JNDI name of '%s' (%s); define it, or set postbox.outbox.destination.%s.jndi-name"
            .formatted(jndiName, destination, OutboxLog.reason(failed), destination),
        failed);
  }

  /** The row cannot be turned into a message. */
  static SendFailure building(StoredMessage message, Exception failed) {
    return SendFailure.ofMessage(message, "cannot be built: " + OutboxLog.reason(failed), failed);
  }

  /** The provider refused one message. */
  static SendFailure sending(StoredMessage message, Delivery delivery, JMSException failed) {
    return judged(List.of(message), delivery, OutboxLog.reason(failed), failed);
  }

  /**
   * The commit failed, or its outcome is unknown. The exception does not name the culprit either.
   */
  static SendFailure committing(List<StoredMessage> batch, Delivery delivery, Exception failed) {
    return judged(batch, delivery, "commit: " + OutboxLog.reason(failed), failed);
  }

  private static SendFailure judged(
      List<StoredMessage> batch, Delivery delivery, String reason, Exception failed) {
    Optional<Fault> known = fault(failed);
    if (known.equals(Optional.of(Fault.DESTINATION))) {
      return SendFailure.ofDestination(reason, failed);
    }
    if (known.isEmpty() || batch.size() > 1) {
      return SendFailure.unknown(reason, failed);
    }
    StoredMessage alone = batch.get(0);
    // With xa the row's change was rolled back with the send, so the failure has to be recorded.
    boolean done = known.get() == Fault.DUPLICATE && delivery == Delivery.LOCAL;
    return done
        ? SendFailure.duplicate(alone, reason, failed)
        : SendFailure.ofMessage(alone, reason, failed);
  }

  private static Optional<Fault> fault(Exception failed) {
    return deepestFirst(failed).flatMap(it -> Stream.concat(byCode(it), byType(it))).findFirst();
  }

  private static Stream<Throwable> deepestFirst(Throwable failed) {
    Deque<Throwable> chain = new ArrayDeque<>();
    Causes.of(failed).forEach(chain::push);
    return chain.stream();
  }

  private static Stream<Fault> byCode(Throwable failed) {
    Matcher matcher = CODE.matcher(failed.toString());
    if (!matcher.matches()) {
      return Stream.empty();
    }
    // The text's number says more than the type of error, and that says more than the exception's
    // name.
    return Stream.of(3, 2, 1)
        .map(matcher::group)
        .filter(Objects::nonNull)
        .flatMap(code -> Stream.ofNullable(CODES.get(code)));
  }

  private static Stream<Fault> byType(Throwable failed) {
    return TYPES.entrySet().stream()
        .filter(type -> type.getKey().isInstance(failed))
        .map(Map.Entry::getValue);
  }
}
