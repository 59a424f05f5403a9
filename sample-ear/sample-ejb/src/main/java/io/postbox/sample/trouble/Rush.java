package io.postbox.sample.trouble;

import io.postbox.sample.orders.OrderService;
import io.postbox.sample.shipping.ShippingService;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * A thousand orders, each in a transaction of its own, placed in the background: one rush at a time
 * on this node. Thread-safe.
 */
@ApplicationScoped
public class Rush {
  /** How many orders there are in a rush. */
  public static final int ORDERS = 1_000;

  private static final System.Logger LOG = System.getLogger(Rush.class.getName());

  /** Articles of which there is plenty. Each is an ordering key, so they travel side by side. */
  private static final List<String> SKUS = List.of("PEN-1", "PEN-2", "BOOK-1");

  @Resource ManagedExecutorService executor;

  @Inject OrderService orders;
  @Inject ShippingService shipping;

  private final List<Long> placed = new ArrayList<>();
  private boolean running;
  private boolean stopped;

  /**
   * How far the last rush is.
   *
   * @param running whether it is still placing orders
   * @param placed how many orders are committed
   * @param shipped how many of them are known to be shipped
   * @param shipments how many shipments there are for them: one for each, if none is lost or
   *     doubled
   */
  public record Progress(boolean running, int placed, long shipped, long shipments) {}

  /**
   * Begins a rush.
   *
   * @return whether it began; otherwise another one runs, or the server takes no more work
   */
  public synchronized boolean begin() {
    if (running || stopped) {
      return false;
    }
    try {
      inBackground(this::placeAll);
    } catch (RejectedExecutionException full) {
      LOG.log(
          Level.WARNING, "The server takes no work for a rush of orders; none was placed", full);
      return false;
    }
    placed.clear();
    running = true;
    return true;
  }

  /** Has a task run on a thread of the server's. */
  void inBackground(Runnable task) {
    executor.execute(task);
  }

  /** How far the last rush is; nothing is placed before the first one. */
  public Progress progress() {
    boolean goesOn;
    List<Long> ids;
    synchronized (this) {
      goesOn = running;
      ids = List.copyOf(placed);
    }
    return new Progress(
        goesOn, ids.size(), orders.countShipped(ids), shipping.countShipmentsFor(ids));
  }

  private void placeAll() {
    try {
      for (int i = 0; i < ORDERS && goesOn(); i++) {
        add(orders.place(SKUS.get(i % SKUS.size()), 1).orderId());
      }
    } catch (RuntimeException failed) { // for instance because the outbox's backlog is full
      LOG.log(Level.ERROR, "A rush of orders ended early; those that it placed stay", failed);
    } finally {
      end();
    }
  }

  private synchronized boolean goesOn() {
    return !stopped;
  }

  private synchronized void add(long orderId) {
    placed.add(orderId);
  }

  private synchronized void end() {
    running = false;
  }

  @PreDestroy
  synchronized void stop() {
    stopped = true;
  }
}
