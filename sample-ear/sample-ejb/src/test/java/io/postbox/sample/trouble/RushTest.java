package io.postbox.sample.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.sample.orders.OrderService;
import io.postbox.sample.orders.PlacedOrder;
import io.postbox.sample.shipping.ShippingService;
import io.postbox.sample.trouble.Rush.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class RushTest {
  private final Shop shop = new Shop();
  private final Warehouse warehouse = new Warehouse();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Rush rush =
      new Rush() {
        @Override
        void inBackground(Runnable task) {
          if (shop.closed) {
            throw new RejectedExecutionException("full");
          }
          tasks.add(task);
        }
      };

  RushTest() {
    rush.orders = shop;
    rush.shipping = warehouse;
  }

  @Test
  void aThousandOrdersArePlacedForArticlesOfWhichThereIsPlenty() {
    assertThat(rush.begin()).isTrue();
    tasks.remove().run();
    assertThat(shop.skus).hasSize(1_000).containsOnly("PEN-1", "PEN-2", "BOOK-1");
    assertThat(rush.progress()).isEqualTo(new Progress(false, 1_000, 0, 0));
  }

  @Test
  void oneRushRunsAtATime() {
    rush.begin();
    assertThat(rush.begin()).isFalse();
    assertThat(tasks).hasSize(1);

    tasks.remove().run();

    assertThat(rush.begin()).isTrue();
    assertThat(rush.progress()).isEqualTo(new Progress(true, 0, 0, 0));
  }

  @Test
  void aRushThatFailsEndsAndAnotherMayBegin() {
    shop.capacity = 17;
    rush.begin();
    tasks.remove().run();
    assertThat(rush.progress()).isEqualTo(new Progress(false, 17, 0, 0));
    assertThat(rush.begin()).isTrue();
  }

  @Test
  void aServerThatTakesNoWorkBeginsNone() {
    shop.closed = true;
    assertThat(rush.begin()).isFalse();
    assertThat(rush.progress().running()).isFalse();
    shop.closed = false;
    assertThat(rush.begin()).isTrue();
  }

  @Test
  void theEndOfTheApplicationEndsIt() {
    rush.begin();
    rush.stop();
    tasks.remove().run();
    assertThat(shop.skus).isEmpty();
    assertThat(rush.begin()).isFalse();
  }

  @Test
  void theProgressIsThatOfItsOwnOrders() {
    rush.begin();
    tasks.remove().run();
    shop.shipped = 998;
    warehouse.shipments = 999;
    assertThat(rush.progress()).isEqualTo(new Progress(false, 1_000, 998, 999));
    assertThat(warehouse.asked).hasSize(1_000);
  }

  /** Takes orders without a database. */
  private static final class Shop extends OrderService {
    private final List<String> skus = new ArrayList<>();
    private int capacity = Integer.MAX_VALUE;
    private boolean closed;
    private long shipped;

    @Override
    public PlacedOrder place(String sku, int quantity) {
      if (skus.size() == capacity) {
        throw new IllegalStateException("the backlog is full");
      }
      skus.add(sku);
      return new PlacedOrder(skus.size(), UUID.randomUUID());
    }

    @Override
    public long countShipped(List<Long> orderIds) {
      return shipped;
    }
  }

  /** Counts shipments without a database. */
  private static final class Warehouse extends ShippingService {
    private long shipments;
    private List<Long> asked = List.of();

    @Override
    public long countShipmentsFor(List<Long> orderIds) {
      asked = orderIds;
      return shipments;
    }
  }
}
