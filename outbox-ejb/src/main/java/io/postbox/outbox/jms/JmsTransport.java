package io.postbox.outbox.jms;

import io.postbox.common.telemetry.Tracing;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure;
import io.postbox.outbox.relay.Transport;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import javax.naming.NamingException;

/**
 * Sends a batch in a transaction of its own. That is a JTA transaction if a participant joins it,
 * and until a {@link LocalTransactionProbe} has seen that the connection factory has local
 * transactions; from then on it is a local one of its JMS session, which costs the broker one round
 * trip instead of three. A connection factory that is no resource adapter's is probed before its
 * first batch, and refused without local transactions. JNDI objects are kept until a failure that
 * may be theirs or the broker's. Thread-safe; each call uses the thread it is called on, which must
 * have no transaction.
 */
public final class JmsTransport implements Transport {
  private final OutboxConfig config;
  private final UserTransaction transaction;
  private final JndiObjects objects;
  private final TransactionParticipant participant;
  private final Tracing tracing;
  private final JmsMessages messages;
  private final int timeoutSeconds;
  private final LocalTransactionProbe localTransactions;

  /** Looks a JNDI name up. */
  @FunctionalInterface
  public interface NamingLookup {
    /**
     * Returns the object bound to a name.
     *
     * @throws NamingException if there is nothing of that name
     */
    Object lookup(String jndiName) throws NamingException;
  }

  /** Takes part in each transaction that sends a batch. */
  @FunctionalInterface
  public interface TransactionParticipant {
    /** JMS is the only resource. */
    TransactionParticipant NONE = (lane, messages) -> {};

    /**
     * Called before the messages are sent, in their transaction.
     *
     * @throws SendFailure if the messages must not be sent
     */
    void join(Lane lane, List<StoredMessage> messages) throws SendFailure;
  }

  /**
   * @param config the configuration
   * @param transaction the server's transactions
   * @param names looks up destinations and the connection factory
   * @param participant takes part in each transaction
   * @param tracing is called for each attempt
   * @param secret the service's key
   * @param background runs what no batch waits for
   * @param clock this node's
   */
  public JmsTransport(
      OutboxConfig config,
      UserTransaction transaction,
      NamingLookup names,
      TransactionParticipant participant,
      Tracing tracing,
      byte[] secret,
      Executor background,
      InstantSource clock) {
    this.config = config;
    this.transaction = transaction;
    objects = new JndiObjects(names);
    this.participant = participant;
    messages = JmsMessages.of(config, secret);
    this.tracing = tracing;
    localTransactions = new LocalTransactionProbe(background, clock);
    timeoutSeconds = (int) config.relay().sendTimeout().toSeconds() + 10;
  }

  @Override
  public void send(Lane lane, List<StoredMessage> batch, BooleanSupplier wanted)
      throws SendFailure {
    Attempts attempts = new Attempts(tracing);
    try {
      send(lane, batch, wanted, attempts);
    } catch (SendFailure | RuntimeException | Error failed) {
      if (!(failed instanceof SendFailure failure) || failure.mayBeOfTheBroker()) {
        objects.forget();
      }
      attempts.end(failed);
      throw failed;
    }
    attempts.end(null);
  }

  private void send(Lane lane, List<StoredMessage> batch, BooleanSupplier wanted, Attempts attempts)
      throws SendFailure {
    ConnectionFactory factory = connectionFactory();
    if (!ResourceAdapters.has(factory)) {
      sendAsClient(factory, batch, wanted, attempts);
    } else if (participant != TransactionParticipant.NONE) {
      sendInJtaTransaction(factory, lane, batch, wanted, attempts);
    } else if (!localTransactions.haveBeenSeen()
        || hasTransaction()
        || !sendInLocalTransaction(factory, batch, wanted, attempts)) {
      sendInJtaTransaction(factory, lane, batch, wanted, attempts);
      localTransactions.probeIfDue(factory); // now that the broker is seen to answer
    }
  }

  /** Never in JTA, of which such a factory knows nothing: a rollback would leave what was sent. */
  private void sendAsClient(
      ConnectionFactory factory,
      List<StoredMessage> batch,
      BooleanSupplier wanted,
      Attempts attempts)
      throws SendFailure {
    if (participant != TransactionParticipant.NONE) {
      throw SendFailure.ofDestination(
          "postbox.outbox.delivery=xa needs the connection factory of a resource adapter, and %s is none. Name another one, or set postbox.outbox.delivery=local."
              .formatted(config.connectionFactory()),
          null);
    }
    localTransactions.probeFirst(factory);
    if (!localTransactions.haveBeenSeen()
        || !sendInLocalTransaction(factory, batch, wanted, attempts)) {
      throw SendFailure.ofDestination(
          "the connection factory %s is no resource adapter's, so it takes no part in the server's transactions, and it has not shown any of its own (OBX0017 says why): a batch could go out in part. Name one of a resource adapter."
              .formatted(config.connectionFactory()),
          null);
    }
  }

  /** A transaction of other code on this thread, which JTA refuses, and a session could join. */
  private boolean hasTransaction() throws SendFailure {
    try {
      return transaction.getStatus() != Status.STATUS_NO_TRANSACTION;
    } catch (SystemException | RuntimeException failed) {
      throw JmsFailureClassifier.connecting(failed);
    }
  }

  /** Returns false if the session is not transacted; then nothing was sent. */
  private boolean sendInLocalTransaction(
      ConnectionFactory factory,
      List<StoredMessage> batch,
      BooleanSupplier wanted,
      Attempts attempts)
      throws SendFailure {
    boolean committed = false;
    try (Connection connection = connect(factory);
        Session session = transactedSession(connection)) {
      if (!session.getTransacted()) {
        localTransactions.refute();
        return false;
      }
      sendAndCommit(batch, session, wanted, attempts);
      committed = true;
    } catch (JMSException failed) {
      if (!committed) {
        throw unconnected(failed);
      }
      OutboxLog.notClosed(failed);
    } catch (RuntimeException failed) {
      if (!committed) {
        throw failed;
      }
      OutboxLog.notClosed(failed);
    }
    return true;
  }

  private void sendAndCommit(
      List<StoredMessage> batch, Session session, BooleanSupplier wanted, Attempts attempts)
      throws SendFailure, JMSException {
    try {
      sendAll(batch, session, attempts);
      beWanted(wanted);
      commit(batch, session);
    } catch (JMSException | SendFailure | RuntimeException | Error failed) {
      rollBack(session, failed); // else the session's next user in the pool commits what is in it
      throw failed;
    }
  }

  private void sendInJtaTransaction(
      ConnectionFactory factory,
      Lane lane,
      List<StoredMessage> batch,
      BooleanSupplier wanted,
      Attempts attempts)
      throws SendFailure {
    begin();
    try {
      participant.join(lane, batch);
      sendInSession(factory, batch, attempts);
      beWanted(wanted);
    } catch (SendFailure | RuntimeException | Error failed) { // the thread is reused
      rollBack(failed);
      throw failed;
    }
    commit(batch);
  }

  private static void beWanted(BooleanSupplier wanted) throws SendFailure {
    if (!wanted.getAsBoolean()) {
      throw SendFailure.ofDestination("the sender was given up before its commit", null);
    }
  }

  private ConnectionFactory connectionFactory() throws SendFailure {
    try {
      return objects.find(config.connectionFactory(), ConnectionFactory.class);
    } catch (NamingException | RuntimeException failed) {
      throw unconnected(failed);
    }
  }

  private Connection connect(ConnectionFactory factory) throws SendFailure {
    try {
      return factory.createConnection();
    } catch (JMSException | RuntimeException failed) {
      throw unconnected(failed);
    }
  }

  private Session transactedSession(Connection connection) throws SendFailure {
    try {
      return connection.createSession(Session.SESSION_TRANSACTED);
    } catch (JMSException | RuntimeException failed) {
      throw unconnected(failed);
    }
  }

  /** The connection factory may have been defined anew, so that what was seen of it is void. */
  private SendFailure unconnected(Exception failed) {
    localTransactions.forget();
    return JmsFailureClassifier.connecting(failed);
  }

  private void sendInSession(
      ConnectionFactory factory, List<StoredMessage> batch, Attempts attempts) throws SendFailure {
    try (Connection connection = connect(factory);
        Session session = connection.createSession()) {
      sendAll(batch, session, attempts);
    } catch (JMSException failed) {
      throw unconnected(failed);
    }
  }

  private void sendAll(List<StoredMessage> batch, Session session, Attempts attempts)
      throws SendFailure, JMSException {
    try (MessageProducer producer = session.createProducer(null)) {
      Map<String, Destination> resolved = new HashMap<>();
      for (StoredMessage stored : batch) {
        Message message = build(session, stored, resolved, attempts);
        Destination destination = resolve(stored.goesTo(), resolved);
        try {
          producer.send(
              destination,
              message,
              DeliveryMode.PERSISTENT,
              Message.DEFAULT_PRIORITY,
              timeToLive(stored));
        } catch (JMSException refused) {
          throw JmsFailureClassifier.sending(stored, config.delivery(), refused);
        }
      }
    }
  }

  /** In milliseconds; zero is for ever. */
  private static long timeToLive(StoredMessage stored) {
    Duration left = stored.expiresIn();
    return left == null ? Message.DEFAULT_TIME_TO_LIVE : Math.max(1, left.toMillis());
  }

  private Message build(
      Session session, StoredMessage stored, Map<String, Destination> resolved, Attempts attempts)
      throws SendFailure {
    try {
      Headers headers = Headers.fromJson(stored.envelope().headers());
      Message message = messages.build(session, stored, headers, attempts.begin(stored, headers));
      if (headers.replyTo() != null) {
        message.setJMSReplyTo(resolve(headers.replyTo(), resolved));
      }
      return message;
    } catch (JMSException failed) {
      throw JmsFailureClassifier.sending(stored, config.delivery(), failed);
    } catch (SendFailure | IllegalArgumentException failed) {
      throw JmsFailureClassifier.building(stored, failed);
    }
  }

  private Destination resolve(String name, Map<String, Destination> resolved) throws SendFailure {
    Destination known = resolved.get(name);
    if (known != null) {
      return known;
    }
    String jndiName = config.destinations().jndiName(name);
    try {
      if (!Destinations.isName(name)) { // written by another program
        throw new NamingException("no destination has such a name");
      }
      Destination found = objects.find(jndiName, Destination.class);
      resolved.put(name, found);
      return found;
    } catch (NamingException | RuntimeException failed) {
      throw JmsFailureClassifier.resolving(name, jndiName, failed);
    }
  }

  /** Rolls back its own transaction if it fails; an existing one belongs to other code. */
  private void begin() throws SendFailure {
    try {
      transaction.setTransactionTimeout(timeoutSeconds);
      transaction.begin();
    } catch (NotSupportedException | SystemException | RuntimeException failed) {
      throw JmsFailureClassifier.connecting(failed);
    }
    try {
      transaction.setTransactionTimeout(0); // back to the server's default
    } catch (SystemException | RuntimeException failed) {
      rollBack(failed);
      throw JmsFailureClassifier.connecting(failed);
    }
  }

  private void commit(List<StoredMessage> batch) throws SendFailure {
    try {
      transaction.commit();
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | SystemException
        | RuntimeException failed) {
      throw JmsFailureClassifier.committing(batch, config.delivery(), failed);
    }
  }

  private void commit(List<StoredMessage> batch, Session session) throws SendFailure {
    try {
      session.commit();
    } catch (JMSException | RuntimeException failed) {
      throw JmsFailureClassifier.committing(batch, config.delivery(), failed);
    }
  }

  private static void rollBack(Session session, Throwable because) {
    try {
      session.rollback();
    } catch (JMSException | RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }

  private void rollBack(Throwable because) {
    try {
      if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
        transaction.rollback();
      }
    } catch (SystemException | RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }
}
