package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxRequest.Header;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Schedule;
import jakarta.jms.Message;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The message that the handler of a captured message gets. */
class StoredMessageTest {
  private static final InboxRequest REQUEST = InboxRequest.of("billing", "id-1");

  @Test
  void theHeadersOfARequestAreThoseThatItHad() {
    InboxRequest request =
        REQUEST
            .header("tenant", "north")
            .header("copy", "1")
            .header("copy", "2")
            .header("copy#2", "of another name")
            .header("copy", "3")
            .header("octets", new byte[] {0, 1})
            .header("nothing", (byte[]) null)
            .header("#1", "a number alone");
    StoredMessage message = stored(request);

    assertThat(message.headers())
        .extracting(Header::name)
        .containsExactly("tenant", "copy", "copy", "copy#2", "copy", "octets", "nothing", "#1");
    assertThat(message.headers())
        .extracting(Header::text)
        .containsExactlyElementsOf(request.headers().stream().map(Header::text).toList());
    assertThat(message.headers().get(5).bytes().orElseThrow()).containsExactly(0, 1);
    assertThat(message.headers().get(6).bytes()).isEmpty();
    assertThat(message.lastHeader("COPY")).contains("3");
    assertThat(message.lastHeader("octets")).isEmpty();
    assertThat(message.properties()).isEmpty();
  }

  @Test
  void aRequestsOwnPartsAreThere() {
    StoredMessage message =
        stored(
            REQUEST
                .text("{}")
                .event("OrderShipped")
                .source("shop")
                .from("payments", 3, 42)
                .orderedBy("7")
                .priority(8)
                .header("traceparent", "00-" + "a".repeat(32) + "-" + "b".repeat(16) + "-01"));

    assertThat(message.id()).isEqualTo("id-1");
    assertThat(message.text()).contains("{}");
    assertThat(message.eventType()).contains("OrderShipped");
    assertThat(message.source()).contains("shop");
    assertThat(message.destination()).contains("origin:payments/3@42");
    assertThat(message.orderingKey()).contains("7");
    assertThat(message.priority()).isEqualTo(8);
    assertThat(message.headers()).isEmpty();
    assertThat(message.brokerId()).isEmpty();
    assertThat(message.replyTo()).isEmpty();
    assertThat(message.sentAt()).isEmpty();
    MessageTrace trace = message.trace();
    assertThat(trace.traceParent()).hasValueSatisfying(it -> assertThat(it).startsWith("00-aaa"));
    assertThat(trace.system()).isEmpty();
    assertThat(trace.destination()).contains("payments");
  }

  @Test
  void itsTurnIsThatOfTheRequest() {
    Instant later = Instant.parse("2030-01-01T00:00:00Z");
    assertThat(schedule(REQUEST)).isEqualTo(Schedule.PLAIN);
    assertThat(schedule(REQUEST.priority(9))).isEqualTo(new Schedule(null, 9, null));
    assertThat(schedule(REQUEST.orderedBy(""))).isEqualTo(Schedule.PLAIN);
    InboxRequest ofOrder = REQUEST.aggregate("Order", "7", 3);
    assertThat(schedule(ofOrder)).isEqualTo(new Schedule("Order/7", 4, null));
    assertThat(schedule(ofOrder.orderedBy("k"))).isEqualTo(new Schedule("k", 4, null));
    assertThat(schedule(ofOrder.notBefore(later))).isEqualTo(new Schedule(null, 4, later));
  }

  @Test
  void aKeyThatDoesNotFitKeepsItsOrderAsInAJmsMessage() throws Exception {
    String key = "k".repeat(201);
    FakeMessage jms = FakeMessage.text("x").with("JMSXGroupID", key);
    Delivery delivered =
        DeliveryReader.read(
            new Consumer("billing", IdFrom.OUTBOX_MESSAGE_ID, ""),
            jms.as(Message.class),
            type -> {
              throw new AssertionError("no resolver");
            },
            TestProofs.PROOFS,
            1_000,
            UnaryOperator.identity());

    assertThat(schedule(REQUEST.orderedBy(key)).orderingKey())
        .startsWith("sha256:")
        .isEqualTo(delivered.schedule().orderingKey())
        .isNotEqualTo(schedule(REQUEST.orderedBy(key + "k")).orderingKey());
  }

  private static Schedule schedule(InboxRequest request) {
    return RequestReader.read(request, UnaryOperator.identity()).schedule();
  }

  private static StoredMessage stored(InboxRequest request) {
    Delivery delivery = RequestReader.read(request, UnaryOperator.identity());
    return new StoredMessage(
        new Captured(
            1, delivery.knownId().orElseThrow(), delivery, delivery.content(), false, 1, false),
        new PayloadReader(
            new PayloadReader.JsonReader() {
              @Override
              public <T> T read(String json, Class<T> type) {
                throw new IllegalArgumentException("no JSON here");
              }
            }));
  }
}
