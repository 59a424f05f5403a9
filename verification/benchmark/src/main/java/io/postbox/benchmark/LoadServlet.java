package io.postbox.benchmark;

import io.postbox.benchmark.arrival.Arrivals;
import io.postbox.outbox.Outbox;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Queue;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends messages at a steady rate from several threads, each in a transaction of its own, and
 * answers how many nanoseconds each took until it was in onMessage. A message whose turn has passed
 * because all threads were busy is sent at once. With the rate 0, all are. Nothing is said of those
 * in the lead.
 */
@WebServlet("/load")
public class LoadServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Inject transient Outbox outbox;
  @Resource transient UserTransaction transaction;

  /** Not the server's pool: senders that wait for their turn would take the listener's threads. */
  @Resource transient ManagedThreadFactory factory;

  @Resource(lookup = "jms/cf")
  transient ConnectionFactory connections;

  @Resource(lookup = "jms/latency")
  transient Queue queue;

  /** A message on its way. */
  private record Sent(long start, CompletableFuture<Long> arrival) {}

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Ways ways = new Ways(outbox, transaction, connections, queue);
    Ways.Way way = ways.of(request.getParameter("way"));
    int count = Integer.parseInt(request.getParameter("count"));
    double rate = Double.parseDouble(request.getParameter("rate"));
    int lead = Integer.parseInt(request.getParameter("lead"));
    int threads = Integer.parseInt(request.getParameter("threads"));
    long nanosBetween = rate > 0 ? (long) (TimeUnit.SECONDS.toNanos(1) / rate) : 0;
    AtomicInteger next = new AtomicInteger();
    long begin = System.nanoTime();
    Callable<List<Sent>> sender =
        () -> {
          List<Sent> sent = new ArrayList<>();
          for (int i = next.getAndIncrement(); i < lead + count; i = next.getAndIncrement()) {
            awaitTurn(begin + i * nanosBetween);
            String id = UUID.randomUUID().toString();
            CompletableFuture<Long> arrival = Arrivals.expect(id);
            Sent message = new Sent(way.send(Ways.text(id)), arrival);
            if (i >= lead) {
              sent.add(message);
            }
          }
          return sent;
        };
    StringJoiner nanos = new StringJoiner("\n");
    ExecutorService executor = Executors.newFixedThreadPool(threads, factory);
    try {
      for (Future<List<Sent>> each : executor.invokeAll(Collections.nCopies(threads, sender))) {
        for (Sent sent : each.get()) {
          nanos.add(String.valueOf(Arrivals.await(sent.arrival()) - sent.start()));
        }
      }
    } catch (Exception failed) { // UserTransaction alone has eight
      throw new IOException("A message did not arrive", failed);
    } finally {
      executor.shutdown();
    }
    response.getWriter().print(nanos);
  }

  private static void awaitTurn(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
