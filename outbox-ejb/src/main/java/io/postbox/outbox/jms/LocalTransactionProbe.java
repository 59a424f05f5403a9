package io.postbox.outbox.jms;

import io.postbox.outbox.log.OutboxLog;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds out by trying whether the sessions of a connection factory have transactions of their own
 * outside of JTA. Jakarta EE leaves that open: an adapter may refuse such a session, or create one
 * that commits every send by itself. So a message to a temporary queue is rolled back and another
 * one is committed: only the second may arrive.
 *
 * <p>The probe runs in the background, one at a time, so that no batch waits for it and a broker
 * that freezes meanwhile keeps one thread of its own; only where no batch may be sent without it,
 * it comes first. A probe that fails, as where temporary queues are refused, is repeated later.
 * Thread-safe.
 */
final class LocalTransactionProbe {
  private static final Duration UNTIL_NEXT_PROBE = Duration.ofMinutes(10);
  private static final Duration LONGEST_DELIVERY = Duration.ofSeconds(1);
  private static final String ROLLED_BACK = "rolled back";
  private static final String COMMITTED = "committed";

  private final Executor background;
  private final InstantSource clock;
  private final AtomicReference<Finding> finding;
  private final AtomicBoolean probing = new AtomicBoolean();
  private final AtomicReference<String> reported = new AtomicReference<>("");

  /** The finding so far; a probe's is dropped if another one has come in between. */
  private sealed interface Finding {
    /** There is none, and no probe before that time. */
    record Unknown(Instant probeAt) implements Finding {}

    record Known(boolean seen) implements Finding {}
  }

  private interface Undoing {
    void run() throws JMSException;
  }

  /**
   * @param background runs a probe, which may take as long as the broker
   * @param clock this node's
   */
  LocalTransactionProbe(Executor background, InstantSource clock) {
    this.background = background;
    this.clock = clock;
    finding = new AtomicReference<>(new Finding.Unknown(Instant.MIN));
  }

  /** Whether a rollback has been seen to undo what a session had sent, and a commit to send it. */
  boolean haveBeenSeen() {
    return finding.get() instanceof Finding.Known known && known.seen();
  }

  /** Records that a session was not transacted after all. */
  void refute() {
    finding.set(new Finding.Known(false));
    report(false, "a session was not transacted although it was to be");
  }

  /** Makes a probe necessary again. */
  void forget() {
    finding.set(new Finding.Unknown(clock.instant()));
  }

  /**
   * Begins a probe if there is no finding, unless the last one has failed just now. Never fails.
   */
  void probeIfDue(ConnectionFactory factory) {
    if (finding.get() instanceof Finding.Unknown unknown
        && !clock.instant().isBefore(unknown.probeAt())
        && probing.compareAndSet(false, true)) {
      try {
        background.execute(() -> probe(factory, unknown));
      } catch (RuntimeException | Error noThread) { // the batch is sent all the same
        failed(unknown, noThread);
        probing.set(false);
      }
    }
  }

  /**
   * Makes the probe on this thread if there is no finding, unless the last one has failed just now,
   * or waits for the one that is under way. Never fails.
   */
  synchronized void probeFirst(ConnectionFactory factory) {
    if (finding.get() instanceof Finding.Unknown unknown
        && !clock.instant().isBefore(unknown.probeAt())) {
      probe(factory, unknown);
    }
  }

  private void probe(ConnectionFactory factory, Finding.Unknown before) {
    try {
      boolean seen = isSeen(factory);
      if (finding.compareAndSet(before, new Finding.Known(seen))) {
        report(
            seen,
            seen
                ? "a probe was rolled back, and another one committed"
                : "the sessions of the connection factory have no transactions of their own");
      }
    } catch (JMSException | RuntimeException | Error failed) { // says nothing of any message
      failed(before, failed);
    } finally {
      probing.set(false);
    }
  }

  private void failed(Finding.Unknown before, Throwable why) {
    Instant next = clock.instant().plus(UNTIL_NEXT_PROBE);
    if (finding.compareAndSet(before, new Finding.Unknown(next))) {
      report(false, OutboxLog.reason(why));
    }
  }

  private void report(boolean seen, String why) {
    String transactions = seen ? "local JMS" : "JTA";
    if (!transactions.equals(reported.getAndSet(transactions))) {
      OutboxLog.sendsIn(transactions, why);
    }
  }

  private static boolean isSeen(ConnectionFactory factory) throws JMSException {
    try (Connection connection = factory.createConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
      return session.getTransacted() && isSeen(connection, session);
    }
  }

  /** Leaves neither a queue nor a transaction behind. */
  private static boolean isSeen(Connection connection, Session session) throws JMSException {
    connection.start();
    TemporaryQueue queue = session.createTemporaryQueue();
    boolean seen;
    try {
      send(session, queue);
      seen = receivesOnlyCommitted(session, queue);
    } catch (JMSException | RuntimeException | Error failed) {
      undo(session::rollback, failed);
      undo(queue::delete, failed);
      throw failed;
    }
    queue.delete();
    return seen;
  }

  private static void send(Session session, TemporaryQueue queue) throws JMSException {
    try (MessageProducer producer = session.createProducer(queue)) {
      producer.send(session.createTextMessage(ROLLED_BACK));
      session.rollback();
      producer.send(session.createTextMessage(COMMITTED));
      session.commit();
    }
  }

  private static boolean receivesOnlyCommitted(Session session, TemporaryQueue queue)
      throws JMSException {
    try (MessageConsumer consumer = session.createConsumer(queue)) {
      Message first = consumer.receive(LONGEST_DELIVERY.toMillis());
      if (first == null) {
        throw new JMSException("a probe that was committed did not arrive in time");
      }
      boolean only =
          first instanceof TextMessage text
              && COMMITTED.equals(text.getText())
              && consumer.receiveNoWait() == null;
      session.commit();
      return only;
    }
  }

  private static void undo(Undoing undoing, Throwable because) {
    try {
      undoing.run();
    } catch (JMSException | RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }
}
