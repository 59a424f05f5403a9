package io.postbox.benchmark;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends one message after the other, and answers how many nanoseconds each took until it was in
 * onMessage: through the outbox from right before the commit, or by plain JMS from right before the
 * send, in a transaction whose connection is open already.
 */
@WebServlet("/latency")
public class LatencyServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PADDING = "x".repeat(512 - 37);

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Resource(lookup = "jms/latency")
  transient Queue queue;

  private interface Way {
    /** Sends a text and answers since when it is on its way. */
    long send(String text) throws Exception;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Way way = "outbox".equals(request.getParameter("way")) ? this::enqueue : this::sendPlainly;
    int count = Integer.parseInt(request.getParameter("count"));
    int gap = Integer.parseInt(request.getParameter("gap"));
    StringJoiner nanos = new StringJoiner("\n");
    try {
      for (int i = 0; i < count; i++) {
        String id = UUID.randomUUID().toString();
        CompletableFuture<Long> arrival = Arrivals.expect(id);
        long start = way.send(id + " " + PADDING);
        nanos.add(String.valueOf(Arrivals.await(arrival) - start));
        TimeUnit.MILLISECONDS.sleep(gap);
      }
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("A message did not arrive", failed);
    }
    response.getWriter().print(nanos);
  }

  private long enqueue(String text) throws Exception {
    transaction.begin();
    outbox.enqueue(OutboxMessage.to("latency").unordered().text(text));
    long start = System.nanoTime();
    transaction.commit();
    return start;
  }

  private long sendPlainly(String text) throws Exception {
    long start;
    transaction.begin();
    try (Connection connection = connections.createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue)) {
      start = System.nanoTime();
      producer.send(session.createTextMessage(text));
    }
    transaction.commit();
    return start;
  }
}
