package io.postbox.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.NoTransactionException;
import io.postbox.outbox.OutboxMessage;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordingOutboxTest {
  private static final OutboxMessage PLACED =
      OutboxMessage.to("shipping")
          .event("OrderPlaced")
          .aggregate("Order", "A-1")
          .property("priority", 5)
          .json(new OrderPlaced("A-1", 2));

  private final RecordingOutbox outbox = new RecordingOutbox();

  public record OrderPlaced(String orderId, int quantity) {}

  @Test
  void aMessageIsComparedInThePartsThatAreExpected() {
    outbox.enqueue(PLACED);

    assertThat(outbox).enqueued(OutboxMessage.to("shipping").event("OrderPlaced")).nothingElse();
    assertThat(outbox).enqueued(PLACED).hasSize(1);
    assertThat(outbox)
        .enqueued(
            OutboxMessage.to("shipping"),
            OrderPlaced.class,
            placed -> assertThat(placed.quantity()).isEqualTo(2));
  }

  @Test
  void aPayloadIsComparedByItsValues() {
    outbox.enqueue(PLACED);

    assertThat(outbox)
        .enqueued(OutboxMessage.to("shipping").json(Map.of("quantity", 2, "orderId", "A-1")));
  }

  @Test
  void aFailureShowsTheDifference() {
    outbox.enqueue(PLACED);

    assertThatThrownBy(
            () ->
                assertThat(outbox)
                    .enqueued(
                        OutboxMessage.to("shipping")
                            .event("OrderPlaced")
                            .aggregate("Order", "A-2")
                            .property("priority", "5")
                            .json(new OrderPlaced("A-1", 3))))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            Expecting the outbox to have
              OutboxMessage[to=shipping, event=OrderPlaced, id=null]
            The nearest is message 1, but:
              aggregate: expected Order/A-2, but was Order/A-1
              ordering key: expected Order/A-2, but was Order/A-1
              property priority: expected 5 (String), but was 5 (Integer)
              payload.quantity: expected 3, but was 2
            It has 1:
              1. to shipping: OrderPlaced of Order/A-1, ordered by Order/A-1, properties {priority=5}, payload {"orderId":"A-1","quantity":2}
            """);
  }

  @Test
  void theSameMessageTwiceIsTwoMessages() {
    outbox.enqueue(PLACED);

    assertThatThrownBy(() -> assertThat(outbox).enqueued(PLACED).enqueued(PLACED))
        .hasMessageContaining("(named by an assertion before)");
    outbox.enqueue(PLACED);
    assertThat(outbox).enqueued(PLACED).enqueued(PLACED).nothingElse();
  }

  @Test
  void orderIsThatOfTheEnqueues() {
    OutboxMessage shipped = OutboxMessage.to("orders").event("OrderShipped").text("x");
    outbox.enqueueAll(List.of(PLACED, shipped));

    assertThat(outbox).enqueuedInOrder(PLACED, shipped);
    assertThatThrownBy(() -> assertThat(outbox).enqueuedInOrder(shipped, PLACED))
        .hasMessageContaining("behind message 2");
  }

  @Test
  void nothingElseNamesTheOthers() {
    outbox.enqueue(PLACED);
    outbox.enqueue(OutboxMessage.to("billing").bytes(new byte[] {1, 0x2f}));

    assertThatThrownBy(() -> assertThat(outbox).enqueued(PLACED).nothingElse())
        .hasMessageContaining("  2. to billing, payload 012f")
        .hasMessageNotContaining("1. to shipping");
    assertThatThrownBy(() -> assertThat(outbox).nothing()).hasMessageContaining("It has 2:");
    assertThat(new RecordingOutbox()).nothing();
  }

  @Test
  void aSimulatedTransactionThatFailsLeavesNothing() {
    UUID id = new UUID(1, 2);
    assertThatThrownBy(
            () ->
                outbox.inTransaction(
                    () -> {
                      outbox.enqueue(PLACED.id(id));
                      throw new IllegalStateException("the database refused");
                    }))
        .hasMessage("the database refused");
    outbox.inTransaction(
        () -> {
          outbox.enqueue(PLACED.id(id));
          outbox.setRollbackOnly();
        });

    assertThat(outbox).nothing();
    assertThat(outbox.inTransaction(() -> outbox.enqueue(PLACED.id(id)))).isEqualTo(id);
    assertThat(outbox).withinTransaction().enqueued(PLACED.id(id)).nothingElse();
  }

  @Test
  void aMessageOutsideOfATransactionIsNoticed() {
    outbox.inTransaction(() -> outbox.enqueue(PLACED));
    outbox.enqueue(OutboxMessage.to("billing").text("x"));

    assertThatThrownBy(() -> assertThat(outbox).withinTransaction())
        .hasMessageContaining("outside of inTransaction(…)")
        .hasMessageContaining("2. to billing");
    assertThatThrownBy(() -> outbox.requiringTransaction().enqueue(PLACED))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("There is no active JTA transaction");
  }

  @Test
  void itsSettingsAreThoseOfTheOutbox() {
    RecordingOutbox listed = new RecordingOutbox(Map.of("postbox.outbox.destinations", "shipping"));

    assertThatThrownBy(() -> listed.enqueue(OutboxMessage.to("shiping").text("x")))
        .hasMessageContaining("shipping");
    assertThatThrownBy(() -> new RecordingOutbox(Map.of("postbox.outbox.max-paylod", "1")))
        .hasMessageContaining("postbox.outbox.max-payload");
  }
}
