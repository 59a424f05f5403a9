package io.postbox.benchmark;

import io.postbox.benchmark.arrival.Arrivals;
import io.postbox.outbox.Outbox;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Queue;
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

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Resource(lookup = "jms/latency")
  transient Queue queue;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Ways.Way way =
        new Ways(outbox, transaction, connections, queue).of(request.getParameter("way"));
    int count = Integer.parseInt(request.getParameter("count"));
    int gap = Integer.parseInt(request.getParameter("gap"));
    StringJoiner nanos = new StringJoiner("\n");
    try {
      for (int i = 0; i < count; i++) {
        String id = UUID.randomUUID().toString();
        CompletableFuture<Long> arrival = Arrivals.expect(id);
        long start = way.send(Ways.text(id));
        nanos.add(String.valueOf(Arrivals.await(arrival) - start));
        TimeUnit.MILLISECONDS.sleep(gap);
      }
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("A message did not arrive", failed);
    }
    response.getWriter().print(nanos);
  }
}
