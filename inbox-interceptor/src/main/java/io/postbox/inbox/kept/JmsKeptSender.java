package io.postbox.inbox.kept;

import io.postbox.common.server.Jndi;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.FirstIds;
import io.postbox.inbox.jms.MessageRebuilder;
import io.postbox.inbox.jms.NewIds;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Proofs.Purpose;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.ops.KeptSender;
import io.postbox.inbox.ops.NotSentException;
import io.postbox.inbox.ops.Outgoing;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.naming.NamingException;

/**
 * Sends outside of any transaction: the broker has stored a persistent message when send returns.
 * Thread-safe.
 */
final class JmsKeptSender implements KeptSender {
  private final InboxConfig config;
  private final Function<String, Set<Consumer>> consumers;
  private final Proofs proofs;

  /**
   * @param config the destinations
   * @param consumers the annotated uses of a consumer's name
   * @param proofs proves that this service sends it
   */
  JmsKeptSender(InboxConfig config, Function<String, Set<Consumer>> consumers, Proofs proofs) {
    this.config = config;
    this.consumers = consumers;
    this.proofs = proofs;
  }

  @Override
  public void send(Outgoing outgoing) {
    MessageRebuilder rebuild = rebuild(outgoing);
    try (JMSContext context =
        factory(outgoing.consumer()).createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      Destination destination = destination(context, outgoing);
      Message message = message(context, rebuild, outgoing);
      context
          .createProducer()
          .setDeliveryMode(DeliveryMode.PERSISTENT)
          .setPriority(rebuild.priority())
          .send(destination, message);
    } catch (JMSRuntimeException | NamingException | ClassCastException refused) {
      throw new NotSentException("it cannot be sent: " + InboxLog.reason(refused), true, refused);
    }
  }

  @Override
  public Optional<String> firstId(String properties) {
    return FirstIds.in(properties);
  }

  private static MessageRebuilder rebuild(Outgoing outgoing) {
    try {
      return new MessageRebuilder(outgoing.content());
    } catch (IllegalArgumentException unreadable) {
      throw notMade(unreadable);
    }
  }

  private Message message(JMSContext context, MessageRebuilder rebuild, Outgoing outgoing) {
    try {
      Set<Consumer> same = consumers.apply(outgoing.consumer());
      Map<String, Object> ids =
          NewIds.of(
              same,
              outgoing.consumer(),
              outgoing.id(),
              outgoing.isNewId(),
              outgoing.stored(),
              outgoing.waitedFor());
      Message message = rebuild.message(context, ids, outgoing.replies());
      proofs.prove(message, Purpose.REDRIVE, outgoing.consumer(), same);
      return message;
    } catch (MessageFormatException | IllegalArgumentException unusable) {
      throw notMade(unusable);
    } catch (JMSException failed) {
      throw notSent(failed);
    }
  }

  private static NotSentException notSent(Exception cause) {
    return new NotSentException("it cannot be sent: " + InboxLog.reason(cause), true, cause);
  }

  private static NotSentException notMade(Exception cause) {
    return new NotSentException("it cannot be rebuilt: " + InboxLog.reason(cause), false, cause);
  }

  private Destination destination(JMSContext context, Outgoing outgoing) throws NamingException {
    Optional<String> configured = config.of(outgoing.consumer()).retryDestination();
    if (configured.isPresent()) {
      return (Destination) Jndi.lookup(configured.get());
    }
    String cameFrom = outgoing.destination();
    if (cameFrom == null || cameFrom.startsWith(Delivery.ORIGIN)) {
      throw new NotSentException(
          "%s; set postbox.inbox.consumer.%s.retry-destination, or pass it to the consumer in the way it came"
              .formatted(
                  cameFrom == null
                      ? "its original destination is unknown"
                      : "it arrived without JMS, from "
                          + cameFrom.substring(Delivery.ORIGIN.length()),
                  outgoing.consumer()),
          false,
          null);
    }
    return MessageRebuilder.destination(context, cameFrom);
  }

  private ConnectionFactory factory(String consumer) throws NamingException {
    return (ConnectionFactory) Jndi.lookup(config.connectionFactoryOf(consumer));
  }
}
