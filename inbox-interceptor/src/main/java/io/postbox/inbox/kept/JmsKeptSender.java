package io.postbox.inbox.kept;

import io.postbox.common.server.Jndi;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.Destinations;
import io.postbox.inbox.jms.MessageRebuilder;
import io.postbox.inbox.jms.MessageRebuilder.NobodyWaits;
import io.postbox.inbox.jms.NewIds;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.ops.KeptSender;
import io.postbox.inbox.ops.NotSentException;
import io.postbox.inbox.ops.Outgoing;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.naming.NamingException;

/**
 * Sends outside of any transaction: the broker has stored a persistent message when send returns.
 * Thread-safe.
 */
public final class JmsKeptSender implements KeptSender {
  private final InboxConfig config;
  private final Function<String, Set<Consumer>> consumers;
  private final Proofs proofs;
  private final Lookup lookup;

  /** Finds a connection factory or a destination by its JNDI name. */
  @FunctionalInterface
  public interface Lookup {
    /** The object with a name. */
    Object find(String jndiName) throws NamingException;
  }

  /** The sender of this application. */
  JmsKeptSender(InboxDatabase database, InboxDeployment deployment) {
    this(
        database.config(),
        deployment::consumersOf,
        new Proofs(database.config().service(), database::secret),
        Jndi::lookup);
  }

  /**
   * @param config the destinations
   * @param consumers the annotated uses of a consumer's name
   * @param proofs proves that this service sends it
   * @param lookup finds connection factories and destinations
   */
  public JmsKeptSender(
      InboxConfig config, Function<String, Set<Consumer>> consumers, Proofs proofs, Lookup lookup) {
    this.config = config;
    this.consumers = consumers;
    this.proofs = proofs;
    this.lookup = lookup;
  }

  @Override
  public void send(Outgoing outgoing) {
    requireSize(outgoing);
    MessageRebuilder rebuild = rebuild(outgoing);
    try (JMSContext context =
        factory(outgoing.consumer()).createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      Destination destination = destination(context, outgoing);
      Message message = message(context, rebuild, outgoing);
      context
          .createProducer()
          .setDeliveryMode(DeliveryMode.PERSISTENT)
          .setPriority(rebuild.priority())
          .setTimeToLive(timeToLive(rebuild, outgoing))
          .send(destination, message);
    } catch (JMSRuntimeException | NamingException | ClassCastException refused) {
      throw new NotSentException("it cannot be sent: " + InboxLog.reason(refused), true, refused);
    }
  }

  @Override
  public Optional<String> firstId(String properties) {
    return NewIds.first(properties);
  }

  /** The time in milliseconds until a copy expires as its message does; zero is for ever. */
  private static long timeToLive(MessageRebuilder rebuild, Outgoing outgoing) {
    Optional<Instant> end = outgoing.expires() ? rebuild.expiration() : Optional.empty();
    if (end.isEmpty()) {
      return Message.DEFAULT_TIME_TO_LIVE;
    }
    long left = Duration.between(Instant.now(), end.get()).toMillis();
    if (left <= 0) {
      throw new NotSentException(
          "its time to live ended at %s, before its retry; redrive it to have it handled all the same, or discard it"
              .formatted(end.get()),
          false,
          null);
    }
    return left;
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
              outgoing.waitedFor(),
              outgoing.replies() == ReplyOnRedrive.KEEP && outgoing.mayReply(),
              firstId(outgoing.content().properties()));
      Message message = rebuilt(context, rebuild, ids, outgoing);
      proofs.prove(message, outgoing.consumer(), same);
      return message;
    } catch (MessageFormatException | IllegalArgumentException unusable) {
      throw notMade(unusable);
    } catch (JMSException failed) {
      throw notSent(failed);
    }
  }

  /** A retry is worth its work, also if the requester has gone with its temporary queue. */
  private static Message rebuilt(
      JMSContext context, MessageRebuilder rebuild, Map<String, Object> ids, Outgoing outgoing)
      throws JMSException {
    try {
      return rebuild.message(context, ids, outgoing.replies());
    } catch (NobodyWaits gone) {
      if (!outgoing.byItself()) {
        throw gone;
      }
      InboxLog.goesBackWithoutReply(outgoing.consumer(), gone);
      return rebuild.message(context, ids, ReplyOnRedrive.DROP);
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
      return (Destination) lookup.find(configured.get());
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
    if (outgoing.byItself() && !Destinations.isQueue(cameFrom)) {
      throw NotSentException.reachingOthers(
          "it came from a topic, whose other subscribers would receive it too; set postbox.inbox.consumer.%s.retry-destination, or redrive it to have it published all the same"
              .formatted(outgoing.consumer()));
    }
    return Destinations.named(context, cameFrom);
  }

  /** Otherwise its delivery would not read it, and not know its row. */
  private void requireSize(Outgoing outgoing) {
    long most = config.of(outgoing.consumer()).maxBody();
    long size = MessageRebuilder.bodySize(outgoing.content());
    if (size > most) {
      throw new NotSentException(
          "its body has %s bytes, and max-body allows its consumer '%s' %s; raise that"
              .formatted(size, outgoing.consumer(), most),
          false,
          null);
    }
  }

  private ConnectionFactory factory(String consumer) throws NamingException {
    return (ConnectionFactory) lookup.find(config.connectionFactoryOf(consumer));
  }
}
