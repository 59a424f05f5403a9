package io.postbox.benchmark;

import io.postbox.common.OutboxProperties;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs business transactions in several threads, an update and an insert by JPA each, every thread
 * on an account of its own: without a message, with one that is enqueued, or with one that is sent
 * in the same transaction, which with an XA data source is one of two phases.
 */
@WebServlet("/bookings")
public class BookingsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String EVENT = "Booked";
  private static final String PAYLOAD = "x".repeat(512);

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;
  @Resource transient ManagedThreadFactory threadFactory;
  @PersistenceContext transient EntityManager entities;

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Resource(lookup = "jms/drain")
  transient Queue queue;

  private interface Way {
    /** Does what is to be done about a message of this key. */
    void tell(String key) throws Exception;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Way way = way(request.getParameter("way"));
    int count = Integer.parseInt(request.getParameter("count"));
    int threads = Integer.parseInt(request.getParameter("threads"));
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      long account = i + 1L;
      int share = count / threads + (i < count % threads ? 1 : 0);
      work.add(() -> book(account, share, way));
    }
    ExecutorService executor = Executors.newFixedThreadPool(threads, threadFactory);
    try {
      for (Future<Void> done : executor.invokeAll(work)) {
        done.get();
      }
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("Not everything was booked", failed);
    } finally {
      executor.shutdownNow();
    }
  }

  private Way way(String name) {
    return switch (name) {
      case "none" -> key -> {};
      case "outbox" -> this::enqueue;
      case "xa" -> this::send;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private Void book(long number, int count, Way way) throws Exception {
    for (int i = 0; i < count; i++) {
      transaction.begin();
      Account account = entities.find(Account.class, number);
      account.add(1);
      entities.persist(new Booking(account));
      way.tell(String.valueOf(number));
      transaction.commit();
    }
    return null;
  }

  private void enqueue(String key) {
    outbox.enqueue(OutboxMessage.to("drain").orderedBy(key).event(EVENT).text(PAYLOAD));
  }

  /** With every property that the relay sets. */
  private void send(String key) throws JMSException {
    try (Connection connection = connections.createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue)) {
      TextMessage message = session.createTextMessage(PAYLOAD);
      message.setStringProperty(OutboxProperties.MESSAGE_ID, UUID.randomUUID().toString());
      message.setStringProperty(OutboxProperties.SOURCE, "benchmark");
      message.setStringProperty(OutboxProperties.CONTENT_TYPE, "text/plain");
      message.setStringProperty(OutboxProperties.CREATED_AT, Instant.now().toString());
      message.setStringProperty(OutboxProperties.EVENT_TYPE, EVENT);
      message.setStringProperty(OutboxProperties.GROUP_ID, key);
      message.setJMSType(EVENT);
      producer.send(message);
    }
  }
}
