package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.jms.Proofs.Purpose;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.receiver.DelayedRetry;
import io.postbox.inbox.receiver.Route;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
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
 * Sends in the JTA transaction that the calling thread is in when it sends, with fresh handles.
 *
 * <p>A message is resent by sending the received object itself: its body is not rebuilt, and that
 * of an object message is never deserialised. Changed headers and properties are restored ({@link
 * MessageSnapshot}), because other consumers of the same delivery may be given the object.
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
   * @param message as it was received
   * @param names the destinations and the connection factory
   * @param proofs checks the message's control properties, and proves those of a copy
   * @param when runs what sends: at once where the acknowledgement belongs to the transaction of
   *     the calling thread, and elsewhere in a transaction of its own, between the commit of the
   *     delivery's and the acknowledgement
   * @param resent the messages that other consumers have resent
   * @param providers of the connection factories
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
   * A subscription has no place of its own to which one could send, and neither has a queue to
   * which the factory does not lead.
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

  /** The message of another provider would have to be read to be sent. */
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

  /** For as long as a person needs, whatever the sender has said. */
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

  /** JMS knows no other way to refuse a message. */
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

  @Override
  public boolean mayReply() {
    return ReplyTo.of(message).isAllowedBy(names.replies());
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
          } catch (InvalidDestinationException | InvalidDestinationRuntimeException nobodyWaits) {
            InboxLog.nobodyWaitsForReply(consumer.name(), nobodyWaits);
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
      message.setJMSRedelivered(false); // or Liberty's engine goes on counting its deliveries
      producer.setDeliveryDelay(delay(retry, timeToLive));
      producer.send(message, DeliveryMode.PERSISTENT, priority, timeToLive);
    } finally {
      snapshot.restore(consumer.name());
    }
  }

  private void reply(Session session, String result) throws JMSException {
    TextMessage reply = session.createTextMessage(result);
    reply.setJMSCorrelationID(requestId(proofs.provenIn(message)));
    try (MessageProducer producer = session.createProducer(replyTo(session))) {
      producer.send(
          reply,
          DeliveryMode.PERSISTENT,
          Message.DEFAULT_PRIORITY,
          names.replies().timeToLive().toMillis());
    }
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
    properties.putAll(proven.properties()); // what others claim would be proven by the copy
    properties.put(CopyProperties.ATTEMPT, retry.waitedFor());
    properties.put(CopyProperties.WAITS, retry.waits());
    // not this consumer's: others identify it by this one
    Object id = MessageIds.ofBroker(message, proven);
    if (id == null) {
      properties.remove(CopyProperties.MESSAGE_ID);
    } else {
      properties.put(CopyProperties.MESSAGE_ID, id);
    }
    if (wantsReply()) {
      properties.put(CopyProperties.REQUEST_ID, requestId(proven));
    }
    message.clearProperties(); // until then a received message's can only be read
    for (Map.Entry<String, @Nullable Object> property : properties.entrySet()) {
      message.setObjectProperty(property.getKey(), property.getValue());
    }
    proofs.prove(message, Purpose.COPY, consumer.name(), Set.of(consumer));
  }

  /** The id by which the requester recognises the reply; a copy has another JMSMessageID. */
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

  /** In milliseconds; such that the message does not expire unseen while it is away. */
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
