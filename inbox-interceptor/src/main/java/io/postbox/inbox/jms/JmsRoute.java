package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.jms.Proofs.Purpose;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.receiver.DelayedRetry;
import io.postbox.inbox.receiver.Route;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends in the calling thread's JTA transaction, with new connection handles.
 *
 * <p>A resend sends the received object itself: its body is not rebuilt, and that of an object
 * message is never deserialised. Changed headers and properties are restored ({@link
 * MessageSnapshot}), because other consumers of the same delivery may receive the same object.
 */
public final class JmsRoute implements Route {
  private final Consumer consumer;
  private final Message message;
  private final JmsNames names;
  private final Proofs proofs;
  private final Executor when;
  private final ResentMessages resent;
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
   * @param proofs checks the message's control properties, and proves those of a copy
   * @param when runs sends: at once if the acknowledgement belongs to the calling thread's
   *     transaction, and otherwise in a transaction of its own, between the commit of the
   *     delivery's transaction and the acknowledgement
   * @param resent the messages that other consumers have resent
   * @param providers know the connection factories' providers
   */
  public JmsRoute(
      Consumer consumer,
      Message message,
      JmsNames names,
      Proofs proofs,
      Executor when,
      ResentMessages resent,
      Providers providers) {
    this.consumer = consumer;
    this.message = message;
    this.names = names;
    this.proofs = proofs;
    this.when = when;
    this.resent = resent;
    this.providers = providers;
  }

  /**
   * False for a topic's subscription, which has no address of its own, and for a queue of another
   * broker than the connection factory's, unless there is a retry destination.
   */
  @Override
  public boolean canSendRetry() {
    try {
      return (names.retryDestination().isPresent()
              || (cameFromQueue() && !providers.isForeign(names.connectionFactory(), message)))
          && CopiedProperties.canBeSet(CopiedProperties.of(message));
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
  public void sendRetry(DelayedRetry retry, Runnable ifItFails) {
    when.execute(
        () -> {
          try {
            if (resent.isFirst(message, names.retryDestination())) {
              send(session -> sendRetry(session, retry));
            }
          } catch (JMSException | RuntimeException notSent) {
            ifItFails.run();
            throw failed("could not be resent", notSent);
          }
        });
  }

  @Override
  public boolean wantsReply() {
    return ReplyTo.of(message).isWanted();
  }

  /** False for a request of another provider: at this one its destination's name is another's. */
  @Override
  public boolean mayReply() {
    return ReplyTo.of(message).isAllowedBy(names.replies()) && !isKnownToBeForeign();
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
    return ReplyTo.of(message).isAllowedBy(names.replies())
        ? ReplyRefused.Why.ANOTHER_PROVIDER
        : ReplyRefused.Why.NOT_ALLOWED;
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

  private void sendRetry(Session session, DelayedRetry retry) throws JMSException {
    if (names.retryDestination().isEmpty()) {
      providers.requireOwn(consumer.name(), names.connectionFactory(), message, session);
    }
    MessageSnapshot snapshot = new MessageSnapshot(message);
    Destination destination = destination();
    long timeToLive = timeToLive();
    int priority = message.getJMSPriority();
    try (MessageProducer producer = session.createProducer(destination)) {
      setProperties(retry);
      message.setJMSRedelivered(false); // else Liberty's engine continues its delivery count
      producer.setDeliveryDelay(delay(retry, timeToLive));
      producer.send(message, DeliveryMode.PERSISTENT, priority, timeToLive);
    } finally {
      snapshot.restore(consumer.name());
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
    Destination from = message.getJMSDestination();
    return from instanceof Queue || (from != null && !(from instanceof Topic));
  }

  private Destination destination() throws JMSException {
    return names.retryDestination().isPresent()
        ? names.find(names.retryDestination().get(), Destination.class)
        : message.getJMSDestination();
  }

  private void setProperties(DelayedRetry retry) throws JMSException {
    ProvenProperties proven = proofs.provenIn(message);
    Map<String, @Nullable Object> properties = CopiedProperties.of(message);
    properties.keySet().removeAll(CopyProperties.CONTROL);
    properties.remove(CopyProperties.PROOF);
    properties.putAll(proven.properties()); // only proven ones: the copy's proof would cover all
    properties.put(CopyProperties.ATTEMPT, retry.waitedFor());
    properties.put(CopyProperties.WAITS, retry.waits());
    // the header's id, by which other consumers may identify the message
    Object id = MessageIds.ofBroker(message, proven);
    if (id == null) {
      properties.remove(CopyProperties.MESSAGE_ID);
    } else {
      properties.put(CopyProperties.MESSAGE_ID, id);
    }
    if (wantsReply()) {
      properties.put(CopyProperties.REQUEST_ID, requestId(proven));
    }
    message.clearProperties(); // makes a received message's properties writable
    for (Map.Entry<String, @Nullable Object> property : properties.entrySet()) {
      message.setObjectProperty(property.getKey(), property.getValue());
    }
    proofs.prove(message, Purpose.COPY, consumer.name(), Set.of(consumer));
  }

  /** The id by which the requester recognises the reply; a copy has a new JMSMessageID. */
  private @Nullable String requestId(ProvenProperties proven) throws JMSException {
    if (message.getJMSCorrelationID() != null) {
      return message.getJMSCorrelationID();
    }
    String original = proven.requestId();
    return original == null ? message.getJMSMessageID() : original;
  }

  /** The remaining time in milliseconds; zero is for ever. */
  private long timeToLive() throws JMSException {
    long expiration = message.getJMSExpiration();
    return expiration == 0
        ? Message.DEFAULT_TIME_TO_LIVE
        : Math.max(1, expiration - System.currentTimeMillis());
  }

  /**
   * The delay in milliseconds, short enough that the message does not expire before it is
   * redelivered.
   */
  private static long delay(DelayedRetry retry, long timeToLive) {
    long wanted = retry.delay().toMillis();
    return timeToLive == Message.DEFAULT_TIME_TO_LIVE ? wanted : Math.min(wanted, timeToLive / 2);
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
        "A message for the consumer '%s' (JMSMessageID %s) %s: %s. It is not acknowledged, and the broker redelivers it. Check the connection factory %s%s and the broker."
            .formatted(
                consumer.name(),
                id,
                what,
                InboxLog.EXCEPTIONS.of(cause),
                names.connectionFactory(),
                names.retryDestination().map(name -> ", the retry destination " + name).orElse("")),
        cause);
  }
}
