package io.postbox.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OutboxMessageTest {
  private static final OutboxMessage MESSAGE = OutboxMessage.to("shipping");

  @Test
  void onlyTheDestinationIsThereAtFirst() {
    assertThat(MESSAGE.destination()).isEqualTo("shipping");
    assertThat(MESSAGE.id()).isEmpty();
    assertThat(MESSAGE.event()).isEmpty();
    assertThat(MESSAGE.aggregate()).isEmpty();
    assertThat(MESSAGE.orderingKey()).isEmpty();
    assertThat(MESSAGE.payload()).isEmpty();
    assertThat(MESSAGE.properties()).isEmpty();
    assertThat(MESSAGE.correlationId()).isEmpty();
    assertThat(MESSAGE.replyTo()).isEmpty();
    assertThat(MESSAGE.schemaVersion()).isEmpty();
    assertThat(MESSAGE.aggregateVersion()).isEmpty();
    assertThat(MESSAGE.notBefore()).isEmpty();
    assertThat(MESSAGE.expiresAfter()).isEmpty();
    assertThat(MESSAGE.traceParent()).isEmpty();
    assertThat(MESSAGE.traceState()).isEmpty();
  }

  @Test
  void everyPartIsKept() {
    UUID id = UUID.randomUUID();
    OutboxMessage all =
        MESSAGE
            .id(id)
            .event("OrderPlaced")
            .aggregate("Order", 7L)
            .text("text")
            .property("priority", 5)
            .correlationId("c")
            .replyTo("replies")
            .schemaVersion("2")
            .aggregateVersion(9)
            .notBefore(Instant.EPOCH)
            .expiresAfter(Duration.ofDays(1))
            .trace("parent", "state");

    assertThat(all.id()).contains(id);
    assertThat(all.event()).contains("OrderPlaced");
    assertThat(all.aggregate()).contains(new OutboxMessage.Aggregate("Order", "7"));
    assertThat(all.payload()).contains(new Payload.Text("text"));
    assertThat(all.properties()).isEqualTo(Map.of("priority", 5));
    assertThat(all.correlationId()).contains("c");
    assertThat(all.replyTo()).contains("replies");
    assertThat(all.schemaVersion()).contains("2");
    assertThat(all.aggregateVersion()).contains(9L);
    assertThat(all.notBefore()).contains(Instant.EPOCH);
    assertThat(all.expiresAfter()).contains(Duration.ofDays(1));
    assertThat(all.traceParent()).contains("parent");
    assertThat(all.traceState()).contains("state");
  }

  @Test
  void settingAPartLeavesTheOriginalAsItWas() {
    OutboxMessage original = MESSAGE.property("a", 1);

    original.text("x").event("E").aggregate("A", 1).property("b", 2).orderedBy("k");

    assertThat(original.payload()).isEmpty();
    assertThat(original.event()).isEmpty();
    assertThat(original.orderingKey()).isEmpty();
    assertThat(original.properties()).isEqualTo(Map.of("a", 1));
  }

  @Test
  void messagesOfOneAggregateAreOrderedUnlessToldOtherwise() {
    OutboxMessage ofOrder = MESSAGE.aggregate("Order", 7);

    assertThat(ofOrder.orderingKey()).contains("Order/7");
    assertThat(ofOrder.orderedBy("customer-3").orderingKey()).contains("customer-3");
    assertThat(ofOrder.unordered().orderingKey()).isEmpty();
    assertThat(MESSAGE.unordered().aggregate("Order", 7).orderingKey()).isEmpty();
    assertThat(ofOrder.unordered().orderedBy("again").orderingKey()).contains("again");
    assertThat(ofOrder.orderedBy("key").unordered().orderingKey()).isEmpty();
  }

  @Test
  void theArrayOfACallerIsCopied() {
    byte[] mine = "before".getBytes(StandardCharsets.UTF_8);
    OutboxMessage message = MESSAGE.bytes(mine);
    mine[0] = 'X';

    assertThat(((Payload.Bytes) message.payload().orElseThrow()).value())
        .isEqualTo("before".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void propertiesKeepTheirOrderAndCannotBeChangedFromOutside() {
    OutboxMessage message = MESSAGE.property("z", 1).property("a", 2).property("m", 3);

    assertThat(List.copyOf(message.properties().keySet())).containsExactly("z", "a", "m");
    assertThatThrownBy(() -> message.properties().put("x", 1))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theLastPayloadCounts() {
    assertThat(MESSAGE.text("a").reference("invoices", 7).payload())
        .contains(new Payload.Reference("invoices", "7"));
    assertThat(MESSAGE.text("a").json(Map.of()).payload()).containsInstanceOf(Payload.Json.class);
  }

  @Test
  void aPayloadIsNeverPrinted() {
    assertThat(MESSAGE.event("E").text("secret").property("p", "hidden").toString())
        .contains("shipping", "E")
        .doesNotContain("secret", "hidden");
  }

  @Test
  @SuppressWarnings("NullAway")
  void nothingIsSetToNull() {
    assertThatNullPointerException().isThrownBy(() -> OutboxMessage.to(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.event(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.aggregate("Order", null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.orderedBy(null));
    assertThatNullPointerException()
        .isThrownBy(() -> MESSAGE.text(null))
        .withMessage(
            "The text of a message to shipping is null. Give it a value, or leave out the call that sets it; nothing was enqueued.");
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.bytes(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.json(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.property("p", null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.correlationId(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.replyTo(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.schemaVersion(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.id(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.notBefore(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.expiresAfter(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.trace(null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.reference("t", null));
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.reference(null, 1));
  }

  @Test
  @SuppressWarnings("NullAway")
  void anAggregateWithoutATypeIsRefusedAtOnce() {
    // or its ordering key would be the text "null/7"
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.aggregate(null, 7));
  }

  @Test
  @SuppressWarnings("NullAway")
  void aPropertyWithoutANameIsRefusedAtOnce() {
    assertThatNullPointerException().isThrownBy(() -> MESSAGE.property(null, "value"));
  }
}
