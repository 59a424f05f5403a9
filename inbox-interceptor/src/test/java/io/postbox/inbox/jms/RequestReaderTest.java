package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestReaderTest {
  private static final InboxRequest REQUEST = InboxRequest.of("shipping", "id-1");

  @Test
  void aBodyHasTheFingerprintThatItHasInAJmsMessage() throws Exception {
    String text = "gr\u00fc\u00df dich";
    assertThat(fingerprint(REQUEST.text(text)))
        .isEqualTo(Fingerprints.of(FakeMessage.text(text).as(Message.class)));
    assertThat(fingerprint(REQUEST.bytes(new byte[] {1, 2, 3})))
        .isEqualTo(
            Fingerprints.of(FakeMessage.bytes((byte) 1, (byte) 2, (byte) 3).as(Message.class)))
        .isNotEqualTo(fingerprint(REQUEST.text("\1\2\3")));
    assertThat(fingerprint(REQUEST))
        .isEqualTo(Fingerprints.of(FakeMessage.none().as(Message.class)));
  }

  @Test
  void whatIsSaidOfTheMessageIsThere() {
    Delivery delivery =
        RequestReader.read(
            REQUEST.event("OrderPlaced").source("shop").aggregate("Order", "7", 3).text("x"));

    assertThat(delivery.consumer()).isEqualTo("shipping");
    assertThat(delivery.id()).isEqualTo(new Known("id-1"));
    assertThat(delivery.eventType()).isEqualTo("OrderPlaced");
    assertThat(delivery.source()).isEqualTo("shop");
    assertThat(delivery.aggregate()).isEqualTo(new Aggregate("Order", "7", 3));
    assertThat(delivery.destination()).isNull();
    assertThat(delivery.canBeKept()).isTrue();
    assertThat(delivery.headers())
        .isEqualTo(
            """
            {"OutboxAggregateId":"7","OutboxAggregateType":"Order","OutboxAggregateVersion":"3",\
            "OutboxEventType":"OrderPlaced","OutboxSource":"shop"}""");
    assertThat(delivery.content().get().properties())
        .isEqualTo(
            """
            {"headers":{},"properties":{"OutboxAggregateId":"string:7",\
            "OutboxAggregateType":"string:Order","OutboxAggregateVersion":"long:3",\
            "OutboxEventType":"string:OrderPlaced","OutboxSource":"string:shop"}}""");
  }

  @Test
  void theWholeBodyCanBeKept() {
    assertThat(RequestReader.read(REQUEST.text("x")).content().get())
        .satisfies(
            content -> {
              assertThat(content.type()).isEqualTo(BodyType.TEXT);
              assertThat(content.text()).isEqualTo("x");
            });
    assertThat(RequestReader.read(REQUEST.text("\0")).content().get().type())
        .isEqualTo(BodyType.TEXT_UTF16);
    assertThat(
            RequestReader.read(REQUEST.bytes("x".getBytes(StandardCharsets.UTF_8))).content().get())
        .satisfies(
            content -> {
              assertThat(content.type()).isEqualTo(BodyType.BYTES);
              assertThat(content.bytes().remaining()).isOne();
            });
    assertThat(RequestReader.read(REQUEST).content().get().type()).isEqualTo(BodyType.NONE);
  }

  @Test
  void whatCannotBeAnIdIsUnusable() {
    assertThat(reason(null)).isEqualTo(QuarantineReason.MISSING_ID);
    assertThat(reason(" ")).isEqualTo(QuarantineReason.BLANK_ID);
    assertThat(reason("i".repeat(201))).isEqualTo(QuarantineReason.ID_TOO_LONG);
    assertThat(reason("a\nb")).isEqualTo(QuarantineReason.MALFORMED_ID);
    assertThat(RequestReader.read(InboxRequest.of("c", "i".repeat(200))).id())
        .isEqualTo(new Known("i".repeat(200)));
  }

  @Test
  void whatDoesNotFitItsColumnIsLeftOut() {
    Delivery delivery =
        RequestReader.read(
            REQUEST.event("e".repeat(201)).source("a\0").aggregate("Order", "i".repeat(201), 1));

    assertThat(delivery.eventType()).isNull();
    assertThat(delivery.source()).isNull();
    assertThat(delivery.aggregate()).isNull();
    assertThat(delivery.headers()).isEqualTo("{}");
  }

  @Test
  void unlessItIsSaidToBeTheFirstDeliveryItMayHaveFailed() {
    assertThat(RequestReader.read(REQUEST).history()).isEqualTo(History.UNKNOWN);
    assertThat(RequestReader.read(REQUEST.deliveries(1)).history()).isEqualTo(History.NONE);
    assertThat(RequestReader.read(REQUEST.deliveries(3)).history())
        .isEqualTo(new History(true, 0, 2));
  }

  @Test
  void whatTheCallerGetsWrongIsRefused() {
    for (String consumer : new String[] {"", " ", "c".repeat(101), "a\nb"}) {
      assertThatThrownBy(() -> InboxRequest.of(consumer, "id"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 100 characters");
    }
    assertThatThrownBy(() -> REQUEST.deliveries(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequestNeverChanges() {
    byte[] body = {1};
    InboxRequest bytes = REQUEST.bytes(body);
    Fingerprint before = fingerprint(bytes);
    body[0] = 2;
    bytes.bytes().orElseThrow()[0] = 3;
    bytes.text("x").event("y");

    assertThat(fingerprint(bytes)).isEqualTo(before);
    assertThat(bytes.event()).isEmpty();
    assertThat(REQUEST.bytes()).isEmpty();
  }

  private static Fingerprint fingerprint(InboxRequest request) {
    return RequestReader.read(request).fingerprint();
  }

  private static QuarantineReason reason(String id) {
    return ((Unusable) RequestReader.read(InboxRequest.of("c", id)).id()).reason();
  }
}
