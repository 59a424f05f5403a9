package io.postbox.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxMessage;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.events.Trouble;
import io.postbox.sample.shipping.ShippingMdb;
import io.postbox.sample.shipping.ShippingService;
import io.postbox.test.Postbox;
import io.postbox.test.PostboxTest;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Orders, shipping and their messages, without a server. */
@PostboxTest({ShippingMdb.class, OrdersMdb.class})
class OrderJourneyTest {
  private static final OutboxMessage PLACED =
      OutboxMessage.to("shipping")
          .event("OrderPlaced")
          .aggregate("Order", 7)
          .json(new OrderPlaced(7, "BOOK-1", 2));

  @Inject OrderService orders;
  @Inject ShippingService shipping;
  @Inject Postbox postbox;

  private OrderStatus statusOf(PlacedOrder placed) {
    return orders.find(placed.orderId()).orElseThrow().status();
  }

  @Test
  void anOrderIsShippedOnceAndShippingAnswers() {
    long before = shipping.stockOf("BOOK-1").orElseThrow().quantity();
    PlacedOrder placed = orders.place("BOOK-1", 2);
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PLACED);

    postbox.settle();
    orders.resend(placed.orderId());
    postbox.settle();

    assertThat(statusOf(placed)).isEqualTo(OrderStatus.SHIPPED);
    assertThat(shipping.shipmentsFor(placed.orderId())).hasSize(1);
    assertThat(shipping.stockOf("BOOK-1").orElseThrow().quantity()).isEqualTo(before - 2);
    assertThat(postbox.messagesIn("jms/billing")).hasSize(1);
  }

  @Test
  void anOrderThatNobodyCanShipIsRejected() {
    PlacedOrder placed = orders.place("NO-SUCH-BOOK", 2);

    postbox.settle();

    assertThat(statusOf(placed)).isEqualTo(OrderStatus.REJECTED);
  }

  @Test
  void anOrderIsShippedWhenThePrinterHasPaperAgain() {
    PlacedOrder placed = orders.place("BOOK-1", 2, Trouble.FAILS_ONCE);
    postbox.settle();
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PLACED);

    postbox.advance(Duration.ofSeconds(1));

    assertThat(statusOf(placed)).isEqualTo(OrderStatus.SHIPPED);
  }

  @Test
  void shippingIsIdempotent() {
    postbox
        .inbox(ShippingMdb.class)
        .deliver(PLACED)
        .inEveryWay()
        .effectsOnce("SELECT COUNT(*) FROM shipment WHERE order_id = 7")
        .effectsOnce("SELECT COUNT(*) FROM outbox_message WHERE destination = 'billing'");
  }

  @Test
  void anotherOrderUnderAKnownIdIsQuarantined() {
    postbox.inbox(ShippingMdb.class).deliver(PLACED).withOtherBody().quarantined();
  }

  @Test
  void aMessageThatIsNoOrderIsParked() {
    postbox
        .inbox(ShippingMdb.class)
        .deliver(OutboxMessage.to("shipping").event("OrderBurnt").text("x"))
        .parked();
  }
}
