package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.receiver.Route;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends in the calling thread's JTA transaction, with new connection handles.
 *
 * <p>Into the dead queue it sends the received object itself: its body is not rebuilt, and that of
 * an object message is never deserialised. Changed headers and properties are restored ({@link
 * MessageSnapshot}), because other consumers of the same delivery may receive the same object.
 */
public final class JmsRoute implements Route {
  private final Consumer consumer;
  private final Message message;
  private final JmsNames names;
  private final Proofs proofs;
  private final Executor when;
  private final Providers providers;

  /** Work with a session. */
  @FunctionalInterface
  private interface Sending {
    void in(Session session) throws JMSException;
  }

  /**
   * @param consumer the name of the message's consumer
   * @param message the received message
   * @param names the destinations and the connection factory
   * @param proofs checks the message's control properties
   * @param when runs sends: at once if the acknowledgement belongs to the calling thread's
   *     transaction, and otherwise in a transaction of its own, between the commit of the
   *     delivery's transaction and the acknowledgement
   * @param providers know the connection factories' providers
   */
  public JmsRoute(
      Consumer consumer,
      Message message,
      JmsNames names,
      Proofs proofs,
      Executor when,
      Providers providers) {
    this.consumer = consumer;
    this.message = message;
    this.names = names;
    this.proofs = proofs;
    this.when = when;
    this.providers = providers;
  }

  /**
   * False for a topic's subscription, which has no address of its own, and for a queue of another
   * broker than the connection factory's, unless there is a retry destination; and for a message of
   * which JMS cannot set all properties, or this provider cannot find the reply destination again.
   */
  @Override
  public boolean canBeSentAgain() {
    try {
      return (hasRetryDestination() || (cameFromQueue() && isOwn()))
          && CopiedProperties.canBeSet(CopiedProperties.of(message))
          && (!wantsReply() || (ReplyTo.of(message).canBeFoundAgain() && isOwn()));
    } catch (JMSException unreadable) {
      throw failed("cannot be read", unreadable);
    }
  }

  /** False for a topic's subscription: its other subscribers would receive each copy too. */
  @Override
  public boolean canBeHandedBack() {
    try {
      return hasRetryDestination() || cameFromQueue();
    } catch (JMSException unreadable) {
      throw failed("cannot be read", unreadable);
    }
  }

  private boolean hasRetryDestination() {
    return names.retryDestination().isPresent();
  }

  /** Whether the message is known to come from the connection factory's provider. */
  private boolean isOwn() {
    return !isKnownToBeForeign() && providers.knows(names.connectionFactory());
  }

  @Override
  public Optional<Duration> timeLeft() {
    try {
      long expiration = message.getJMSExpiration();
      return expiration == 0
          ? Optional.empty()
          : Optional.of(Duration.ofMillis(Math.max(0, expiration - System.currentTimeMillis())));
    } catch (JMSException unreadable) {
      throw failed("cannot be read", unreadable);
    }
  }

  /** False for a message of another provider, because sending it would mean reading it. */
  @Override
  public boolean canForward() {
    return names.deadQueue().isPresent()
        && !providers.isForeign(names.connectionFactory(), message);
  }

  @Override
  public void forward() {
    when.execute(
        () -> {
          try {
            send(this::forward);
          } catch (JMSException | RuntimeException notSent) {
            throw failed("could not be forwarded to its dead queue", notSent);
          }
        });
  }

  /** Forwards without expiry, whatever the sender has set, because an operator may need time. */
  private void forward(Session session) throws JMSException {
    providers.requireOwn(consumer.name(), names.connectionFactory(), message, session);
    Destination dead = names.find(names.deadQueue().orElseThrow(), Destination.class);
    MessageSnapshot snapshot = new MessageSnapshot(message);
    int priority = message.getJMSPriority();
    try (MessageProducer producer = session.createProducer(dead)) {
      producer.send(message, DeliveryMode.PERSISTENT, priority, Message.DEFAULT_TIME_TO_LIVE);
    } finally {
      snapshot.restore(consumer.name());
    }
  }

  /** True, because JMS has no other way to reject a message. */
  @Override
  public boolean redeliversAtOnce() {
    return true;
  }

  @Override
  public boolean wantsReply() {
    return ReplyTo.of(message).isWanted();
  }

  /** False for a request of another provider: at this one its destination's name is another's. */
  @Override
  public boolean mayReply() {
    return isReplyAllowed() && !isKnownToBeForeign();
  }

  /** A copy does not show any more that the destination is temporary, so it says so. */
  private boolean isReplyAllowed() {
    try {
      return ReplyTo.of(message).isAllowedBy(names.replies())
          || (names.replies().temporary() && proofs.provenIn(message).mayReply());
    } catch (JMSException unreadable) {
      throw failed("cannot be read", unreadable);
    }
  }

  private boolean isKnownToBeForeign() {
    providers.askOutside(names.connectionFactory(), this::learnProvider);
    return providers.isForeignAndTold(consumer.name(), names.connectionFactory(), message);
  }

  /** Asks the connection factory for a session, to know whose it is. */
  private void learnProvider() {
    try {
      send(session -> providers.learn(names.connectionFactory(), session));
    } catch (JMSException | RuntimeException unknown) { // the send will say why
    }
  }

  @Override
  public ReplyRefused.Why whyNoReply() {
    return isReplyAllowed() ? ReplyRefused.Why.ANOTHER_PROVIDER : ReplyRefused.Why.NOT_ALLOWED;
  }

  @Override
  public void reply(String result) {
    if (!mayReply()) {
      throw new IllegalStateException("a reply must not be sent to " + ReplyTo.of(message).name());
    }
    when.execute(
        () -> {
          try {
            send(session -> reply(session, result));
          } catch (JMSException | RuntimeException notSent) {
            throw failed("could not be replied to", notSent);
          }
        });
  }

  private void send(Sending sending) throws JMSException {
    ConnectionFactory factory = names.find(names.connectionFactory(), ConnectionFactory.class);
    try (Connection connection = factory.createConnection();
        Session session = connection.createSession()) {
      sending.in(session);
    }
  }

  private void reply(Session session, String result) throws JMSException {
    TextMessage reply = session.createTextMessage(result);
    reply.setJMSCorrelationID(requestId(proofs.provenIn(message)));
    ReplyProducer.send(
        session,
        this::replyTo,
        reply,
        names.replies().timeToLive(),
        nobody -> InboxLog.nobodyWaitsForReply(consumer.name(), nobody));
  }

  /**
   * A listed destination is created from its name: the sender's object may contain more, for
   * instance a time to live. A temporary one is the sender's own, and some providers cannot create
   * it from its name.
   */
  private Destination replyTo(Session session) throws JMSException {
    ReplyTo replyTo = ReplyTo.of(message);
    return replyTo.name() != null && replyTo.isListedIn(names.replies())
        ? Destinations.named(session, replyTo.name())
        : message.getJMSReplyTo();
  }

  private boolean cameFromQueue() throws JMSException {
    String from = DeliveryReader.destination(message);
    return from != null && Destinations.isQueue(from);
  }

  /** The id by which the requester recognises the reply; a copy has a new JMSMessageID. */
  private @Nullable String requestId(ProvenProperties proven) throws JMSException {
    if (message.getJMSCorrelationID() != null) {
      return message.getJMSCorrelationID();
    }
    String original = proven.requestId();
    return original == null ? message.getJMSMessageID() : original;
  }

  private InboxException failed(String what, Exception cause) {
    String id;
    try {
      id = message.getJMSMessageID();
    } catch (JMSException | JMSRuntimeException unknown) {
      cause.addSuppressed(unknown);
      id = "unknown";
    }
    return new InboxException(
        "A message for the consumer '%s' (JMSMessageID %s) %s: %s. It is not acknowledged, and the broker redelivers it. Check the connection factory %s and the broker."
            .formatted(
                consumer.name(),
                id,
                what,
                InboxLog.EXCEPTIONS.of(cause),
                names.connectionFactory()),
        cause);
  }
}
