package io.postbox.benchmark.inbox;

import io.postbox.benchmark.arrival.Arrivals;
import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends one message after the other to a listener's queue, and answers how many nanoseconds passed
 * from right before each was sent until its effect was written.
 */
@WebServlet("/handled")
public class HandledServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String TEXT = "x".repeat(512);

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Resource(lookup = "jms/bare")
  transient Queue bare;

  @Resource(lookup = "jms/own")
  transient Queue own;

  @Resource(lookup = "jms/captured")
  transient Queue captured;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int count = Integer.parseInt(request.getParameter("count"));
    int gap = Integer.parseInt(request.getParameter("gap"));
    StringJoiner nanos = new StringJoiner("\n");
    try {
      Queue queue = queue(request.getParameter("consumer"));
      for (int i = 0; i < count; i++) {
        nanos.add(String.valueOf(sendAndAwait(queue)));
        TimeUnit.MILLISECONDS.sleep(gap);
      }
    } catch (Exception failed) { // Arrivals.await declares all
      throw new IOException("A message has no effect", failed);
    }
    response.getWriter().print(nanos);
  }

  private Queue queue(String consumer) {
    return switch (consumer) {
      case "bare" -> bare;
      case "own" -> own;
      case "captured" -> captured;
      default -> throw new IllegalArgumentException(consumer);
    };
  }

  private long sendAndAwait(Queue queue) throws Exception {
    String id = UUID.randomUUID().toString();
    CompletableFuture<Long> arrival = Arrivals.expect(id);
    try (JMSContext context = connections.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      TextMessage message = context.createTextMessage(TEXT);
      message.setStringProperty("OutboxMessageId", id);
      long start = System.nanoTime();
      context.createProducer().send(queue, message);
      return Arrivals.await(arrival) - start;
    }
  }
}
