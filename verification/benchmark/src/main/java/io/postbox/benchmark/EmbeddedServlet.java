package io.postbox.benchmark;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.RelayControl;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.Queue;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * A drain that nothing outside of the server can look at, since database and broker are in it. The
 * answer is how many nanoseconds it took until the broker had all: through the outbox from the
 * commit of the transaction that enqueued them, ten to a key, until the table was empty; or by
 * plain JMS on one thread, in transactions of a batch. Then the queue is emptied.
 */
@WebServlet("/embedded")
public class EmbeddedServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PAYLOAD = "x".repeat(512);
  private static final Duration LONGEST = Duration.ofMinutes(30);
  private static final long LONGEST_DELIVERY_MILLIS = 10_000;
  private static final int TAKEN_AT_ONCE = 500;

  @Inject transient Outbox outbox;
  @Inject transient RelayControl relay;
  @Resource transient UserTransaction transaction;

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Resource(lookup = "jms/drain")
  transient Queue queue;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int count = Integer.parseInt(request.getParameter("count"));
    int batch = Integer.parseInt(request.getParameter("batch"));
    try {
      long nanos = batch == 0 ? drain(count) : send(count, batch);
      take(count);
      response.getWriter().print(nanos);
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("Not all were sent", failed);
    }
  }

  private long drain(int count) throws Exception {
    transaction.begin();
    outbox.enqueueAll(
        IntStream.range(0, count)
            .mapToObj(i -> OutboxMessage.to("drain").orderedBy("k" + i / 10).text(PAYLOAD))
            .toList());
    transaction.commit();
    long start = System.nanoTime();
    if (!relay.awaitEmpty(LONGEST)) {
      throw new IllegalStateException("not empty after " + LONGEST);
    }
    return System.nanoTime() - start;
  }

  private long send(int count, int batch) throws Exception {
    long start = System.nanoTime();
    for (int sent = 0; sent < count; ) {
      int end = Math.min(count, sent + batch);
      transaction.begin();
      try (JMSContext context = connections.createContext()) {
        JMSProducer producer = context.createProducer();
        for (; sent < end; sent++) {
          producer
              .setProperty("JMSXGroupID", "k" + sent / 10)
              .send(queue, context.createTextMessage(PAYLOAD));
        }
      }
      transaction.commit();
    }
    return System.nanoTime() - start;
  }

  private void take(int count) throws Exception {
    for (int taken = 0; taken < count; ) {
      int end = Math.min(count, taken + TAKEN_AT_ONCE);
      transaction.begin();
      try (JMSContext context = connections.createContext();
          JMSConsumer consumer = context.createConsumer(queue)) {
        for (; taken < end; taken++) {
          if (consumer.receive(LONGEST_DELIVERY_MILLIS) == null) {
            throw new IllegalStateException(taken + " messages of " + count);
          }
        }
      }
      transaction.commit();
    }
  }
}
