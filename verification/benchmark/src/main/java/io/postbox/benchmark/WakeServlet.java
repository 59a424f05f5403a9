package io.postbox.benchmark;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.stream.IntStream;

/**
 * Enqueues messages in one transaction: to "drain", so many that every lane is woken, or spread
 * over "d0", "d1" and so on. The answer is how many nanoseconds ago its commit began.
 */
@WebServlet("/wake")
public class WakeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PAYLOAD = "x".repeat(512);

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int count = Integer.parseInt(request.getParameter("count"));
    String destinations = request.getParameter("destinations");
    int names = destinations == null ? 0 : Integer.parseInt(destinations);
    try {
      transaction.begin();
      outbox.enqueueAll(
          IntStream.range(0, count)
              .mapToObj(i -> names == 0 ? "drain" : "d" + i % names)
              .map(name -> OutboxMessage.to(name).unordered().text(PAYLOAD))
              .toList());
      long start = System.nanoTime();
      transaction.commit();
      response.getWriter().print(System.nanoTime() - start);
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("Nothing was enqueued", failed);
    }
  }
}
