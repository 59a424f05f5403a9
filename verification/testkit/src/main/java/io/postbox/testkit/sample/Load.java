package io.postbox.testkit.sample;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.History;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that order at a steady pace, send some orders' messages again, and write down what they
 * were answered. Steady, because a load at full speed would make the rounds' length depend on the
 * machine.
 */
public final class Load implements AutoCloseable {
  /** The articles that they order, which do not run out. Each is an ordering key of the sample. */
  public static final List<String> SKUS = List.of("BOOK-1", "PEN-1", "PEN-2");

  private static final int CLIENTS = 8;
  private static final Duration PACE = Duration.ofMillis(40);
  private static final int RESEND_ONE_IN = 8;

  private final Sample sample;
  private final History history;
  private final AtomicLong answered = new AtomicLong();
  private final List<Long> known = Collections.synchronizedList(new ArrayList<>());
  private final List<Future<?>> running = new ArrayList<>();
  private final ScheduledExecutorService clients;

  private Load(Sample sample, History history, List<Long> known, int number) {
    this.sample = sample;
    this.history = history;
    this.known.addAll(known);
    clients = Executors.newScheduledThreadPool(number);
  }

  /** Starts the clients. */
  static Load start(Sample sample, History history, long seed) {
    return start(sample, history, seed, CLIENTS);
  }

  /** Starts so many clients; each asks at the same pace, so fewer are less load. */
  public static Load start(Sample sample, History history, long seed, int number) {
    return start(sample, history, seed, number, PACE);
  }

  /**
   * The same at a pace of the caller's.
   *
   * @param pace from one request of a client to its next
   */
  public static Load start(Sample sample, History history, long seed, int number, Duration pace) {
    // Messages that earlier servers have accepted are resent too.
    List<Long> known =
        history.events().stream()
            .filter(Acknowledged.class::isInstance)
            .map(Event::orderId)
            .toList();
    return start(sample, history, known, seed, number, pace);
  }

  /**
   * The same with clients that send again what is known, and what they order themselves.
   *
   * @param known orders; none for an inbox that may have forgotten what was ordered before
   */
  public static Load start(
      Sample sample, History history, List<Long> known, long seed, int number) {
    return start(sample, history, known, seed, number, PACE);
  }

  private static Load start(
      Sample sample, History history, List<Long> known, long seed, int number, Duration pace) {
    Load load = new Load(sample, history, known, number);
    for (int client = 0; client < number; client++) {
      Random random = new Random(seed + client);
      long offset = pace.toMillis() * client / number;
      load.running.add(
          load.clients.scheduleAtFixedRate(
              () -> load.act(random), offset, pace.toMillis(), TimeUnit.MILLISECONDS));
    }
    return load;
  }

  /** Waits until the server answers: its first requests after a start take seconds. */
  public void awaitFirstAnswer() {
    await("the first answer").atMost(Duration.ofMinutes(1)).until(() -> answered.get() > 0);
  }

  /** Waits until the server has taken so many more orders. */
  public void awaitOrders(int more) {
    long enough = answered.get() + more;
    await(more + " orders").atMost(Duration.ofMinutes(1)).until(() -> answered.get() >= enough);
  }

  /** Stops the clients and waits for their last answers. */
  @Override
  public void close() {
    List<Future<?>> broken = running.stream().filter(Future::isDone).toList();
    clients.shutdown();
    try {
      for (Future<?> client : broken) {
        client.get();
      }
      if (!clients.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("A client has waited more than 30 s for its answer");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A client did not understand its answer", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the clients stop", e);
    }
  }

  private void act(Random random) {
    if (!known.isEmpty() && random.nextInt(RESEND_ONE_IN) == 0) {
      resend(sample, history, known.get(random.nextInt(known.size())));
    } else {
      String sku = SKUS.get(random.nextInt(SKUS.size()));
      order(sample, history, sku, 1 + random.nextInt(3))
          .ifPresent(
              acknowledged -> {
                known.add(acknowledged.orderId());
                answered.incrementAndGet();
              });
    }
  }

  /** Orders once and writes down what came of it. */
  public static Optional<Acknowledged> order(
      Sample sample, History history, String sku, int quantity) {
    Duration asked = history.now();
    try {
      HttpResponse<String> answer = sample.order(sku, quantity);
      if (answer.statusCode() == 201) {
        long orderId = Long.parseLong(Http.field(answer.body(), "orderId"));
        UUID messageId = UUID.fromString(Http.field(answer.body(), "messageId"));
        return Optional.of(history.acknowledged(asked, orderId, messageId, sku, quantity));
      }
      history.unanswered(asked, sku, quantity, answer.statusCode(), answer.body());
    } catch (IOException e) {
      history.unanswered(asked, sku, quantity, 0, e.toString());
    }
    return Optional.empty();
  }

  /** Asks once for an order's message again and writes down what came of it. */
  public static void resend(Sample sample, History history, long orderId) {
    try {
      history.resent(orderId, String.valueOf(sample.resend(orderId).statusCode()));
    } catch (IOException e) {
      history.resent(orderId, e.toString());
    }
  }
}
