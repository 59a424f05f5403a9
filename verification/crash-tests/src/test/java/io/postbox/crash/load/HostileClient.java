package io.postbox.crash.load;

import io.postbox.crash.deployed.HostileServlet;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.HostileSent;
import io.postbox.testkit.model.History;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.sample.Sample;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who sends hostile messages and nonsensical orders beside the clients, and writes down
 * what was answered.
 */
public final class HostileClient implements AutoCloseable {
  /** The largest body that a server takes which somebody hostile tests. */
  public static final int MAX_BODY = 64 << 10;

  private static final Duration PACE = Duration.ofMillis(250);

  /** So rarely and so large that a campaign's disks, where they are small, have room for them. */
  private static final int HUGE_ONE_IN = 25;

  private static final int MEGABYTE = 1 << 20;
  private static final int MOST_MEGABYTES = 4;

  /** None of these is an order. */
  private static final List<String> NONSENSE =
      List.of(
          "{\"sku\":\"%s\",\"quantity\":1}".formatted("x".repeat(1_000)),
          "{\"sku\":\"%s\",\"quantity\":1}".formatted("x".repeat(MEGABYTE)),
          "{\"sku\":\"BOOK-1\\u0000\\u001b\",\"quantity\":1}",
          "{\"sku\":\"'; DROP TABLE orders; --\",\"quantity\":1}",
          "{\"sku\":\"BOOK-1\",\"quantity\":99999999999999999999}",
          "{\"sku\":\"BOOK-1\",\"quantity\":1",
          "\u0000\ufffe");

  /** The kinds of messages that are sent where the server has bounds that can be tested. */
  private static final List<HostileMessage> ATTACK =
      List.copyOf(
          EnumSet.range(HostileMessage.FORGED_RECIPIENT, HostileMessage.FETCHING_AN_ANSWER));

  private static final int FLOOD_ONE_IN = 8;
  public static final int FLOOD_MESSAGES = 40;
  public static final int FLOOD_LENGTH = 8_192;

  /** After so many hostile messages there is no more flood: there is a bound for rows as well. */
  private static final int ENOUGH = 5_000;

  /** So many times what a body may have. */
  private static final int MOST_OVERSIZE = 8;

  private final URI base;
  private final Sample sample;
  private final History history;
  private final Random random;
  private final boolean isAttack;
  private boolean hasFlooded;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> running;

  /**
   * Begins at once.
   *
   * @param base the server's
   * @param isAttack whether all that is hostile is sent, and not only what any server has to bear
   */
  public HostileClient(URI base, History history, long seed, boolean isAttack) {
    this.base = base;
    this.history = history;
    this.isAttack = isAttack;
    sample = new Sample(base);
    random = new Random(seed);
    running = thread.scheduleAtFixedRate(this::act, 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void act() {
    if (isAttack && isTimeToFlood()) {
      hasFlooded = true;
      send(HostileMessage.FLOOD, "", FLOOD_LENGTH, FLOOD_MESSAGES);
    } else if (random.nextInt(4) == 0) {
      order(NONSENSE.get(random.nextInt(NONSENSE.size())));
    } else if (isAttack && random.nextBoolean()) {
      HostileMessage kind = ATTACK.get(random.nextInt(ATTACK.size()));
      int times = kind == HostileMessage.OVERSIZED ? 1 + random.nextInt(MOST_OVERSIZE) : 0;
      send(kind, "", times * (MAX_BODY + 1), 1);
    } else if (!isAttack && random.nextInt(HUGE_ONE_IN) == 0) {
      send(HostileMessage.HUGE, "", MEGABYTE * (1 + random.nextInt(MOST_MEGABYTES)), 1);
    } else {
      HostileMessage kind = HostileMessage.values()[random.nextInt(HostileMessage.HUGE.ordinal())];
      if (kind != HostileMessage.WITH_ANOTHER_BODY) {
        send(kind, "", 0, 1);
      } else {
        handled().ifPresent(order -> send(kind, String.valueOf(order.messageId()), 0, 1));
      }
    }
  }

  private void order(String nonsense) {
    try {
      int status = Http.post(base.resolve("/api/orders"), nonsense).statusCode();
      if (status == 201) {
        throw new IllegalStateException("Was taken for an order: " + nonsense);
      }
    } catch (IOException unanswered) {
      history.mark("", "nonsense is not answered: " + unanswered);
    }
  }

  private boolean isTimeToFlood() {
    return !hasFlooded
        || (random.nextInt(FLOOD_ONE_IN) == 0 && history.count(HostileSent.class) < ENOUGH);
  }

  private void send(HostileMessage kind, String id, int length, int times) {
    UUID tag = UUID.randomUUID(); // not drawn: somebody else may draw the same
    boolean isSent = send(base, kind, tag, id, length, times);
    for (int i = 0; i < times; i++) {
      history.hostile(kind, HostileServlet.tag(tag, i), isSent);
    }
  }

  /** Whether it was sent for certain; otherwise it may have been, or some of it. */
  public static boolean send(
      URI base, HostileMessage kind, UUID tag, String id, int length, int times) {
    String query =
        "kind=%s&tag=%s&id=%s&length=%s&times=%s".formatted(kind, tag, id, length, times);
    try {
      return Http.post(base.resolve("/hostile/send?" + query), "").statusCode() == 200;
    } catch (IOException unanswered) { // the server may have died
      return false;
    }
  }

  /** Some order whose message was handled for certain. */
  private Optional<Acknowledged> handled() {
    List<Acknowledged> orders =
        history.events().stream()
            .filter(Acknowledged.class::isInstance)
            .map(Acknowledged.class::cast)
            .toList();
    if (orders.isEmpty()) {
      return Optional.empty();
    }
    Acknowledged order = orders.get(random.nextInt(orders.size()));
    return Optional.of(order).filter(it -> sample.status(it.orderId()).equals("SHIPPED"));
  }

  /** Stops, and waits for the last answer. */
  @Override
  public void close() {
    boolean broken = running.isDone();
    thread.shutdown();
    try {
      if (broken) {
        running.get();
      }
      if (!thread.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Somebody hostile has waited a minute for an answer");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("A hostile request had another answer", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
