package io.postbox.inbox.jms;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.OfAnother;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The proofs by which the inbox believes that a message was resent, and for which consumer. */
class ProofsTest {
  private static final String ID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
  private static final Consumer SHIPPING = new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final Consumer BILLING = new Consumer("billing", IdFrom.PROPERTY, "orderNo");
  private static final Consumer AUDIT = new Consumer("audit", IdFrom.JMS_MESSAGE_ID, "");

  /** A change of this breaks rolling upgrades: make another version of the proof instead. */
  @Test
  void theFormOfWhatIsAuthenticatedDoesNotChange() throws JMSException {
    Map<String, @Nullable Object> ids = new LinkedHashMap<>();
    ids.put("OutboxMessageId", ID);
    ids.put("orderNo", null);
    assertThat(
            Proofs.authenticated(
                "shop",
                "billing \u00fc",
                new Fingerprint(2, "ab"),
                ids,
                Map.of("InboxOnlyFor", "billing \u00fc", "InboxAttempt", 0)))
        .isEqualTo(
            """
            5:proof8:string:17:service11:string:shop\
            8:consumer16:string:billing \u00fc11:fingerprint11:string:2:ab\
            18:id OutboxMessageId43:string:0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b\
            10:id orderNo4:null12:InboxOnlyFor16:string:billing \u00fc11:InboxStored4:null\
            12:InboxAttempt9:integer:014:InboxMessageId4:null14:InboxRequestId4:null13:InboxMayReply4:null\
            """);

    Message message =
        FakeMessage.text("hello")
            .with("OutboxMessageId", ID)
            .with("orderNo", "7")
            .with("InboxOnlyFor", "billing")
            .writable();
    PROOFS.prove(message, "billing", Set.of(BILLING, AUDIT));
    assertThat(message.getObjectProperty("InboxProof"))
        .isEqualTo("1.Glkuu5GKCELUFlF_iGx_eUw-wnAVftafqghKoZ3PP7s.YmlsbGluZw.b3JkZXJObw");
  }

  @Test
  void halvesOfSurrogatePairsAreToldApart() throws JMSException {
    Message message =
        FakeMessage.text("x")
            .with("OutboxMessageId", "\ud800")
            .with("InboxOnlyFor", "billing")
            .writable();
    PROOFS.prove(message, "billing", Set.of(BILLING));
    assertThat(PROOFS.provenIn(message).onlyFor()).isEqualTo("billing");
    message.setStringProperty("OutboxMessageId", "\ud801");
    assertThat(PROOFS.provenIn(message).onlyFor()).isNull();
  }

  @Test
  void aProvenCopyIsBelieved() throws JMSException {
    FakeMessage message =
        copy(FakeMessage.text("x")).with("InboxOnlyFor", "billing").provenBy(PROOFS, SHIPPING);

    assertThat(read(SHIPPING, message).id()).isEqualTo(new OfAnother("billing"));
    assertThat(read(BILLING, message).id()).isEqualTo(new Known("7"));
    assertThat(read(BILLING, message).history()).isEqualTo(new History(false, 3, 0));
    assertThat(read(BILLING, message).content().get().properties())
        .contains(
            "InboxOnlyFor", "InboxAttempt", "InboxMessageId", "InboxRequestId", "InboxMayReply")
        .doesNotContain("InboxProof");
  }

  @Test
  void oneCopyIsForAllConsumersOfTheDelivery() throws JMSException {
    FakeMessage message = copy(FakeMessage.text("x")).provenBy(PROOFS, SHIPPING);

    assertThat(read(SHIPPING, message).id()).isEqualTo(new Known(ID));
    assertThat(read(BILLING, message).id()).isEqualTo(new Known("7"));
    assertThat(read(AUDIT, message).id()).isEqualTo(new Known("ID:first"));
    for (Consumer consumer : List.of(SHIPPING, BILLING, AUDIT)) {
      assertThat(read(consumer, message).history()).isEqualTo(new History(false, 3, 0));
    }
  }

  @Test
  void anUnprovenCopyIsTreatedAsAnyMessage() throws JMSException {
    for (Object proof :
        new Object[] {"", "1", "1..", "1.%.%", "1.copy.AAAA.AAAA", "2.AAAA.AAAA", 7}) {
      assertIsAsTheSenderMadeIt(all(FakeMessage.text("x")).with("InboxProof", proof));
    }
    assertIsAsTheSenderMadeIt(all(FakeMessage.text("x")));
    assertIsAsTheSenderMadeIt(
        FakeMessage.text("x")
            .header("JMSMessageID", "ID:new")
            .with("OutboxMessageId", ID)
            .with("orderNo", "7")
            .with("InboxAttempt", 999_999));
  }

  @Test
  void anotherServicesProofIsNone() throws JMSException {
    assertIsAsTheSenderMadeIt(
        all(FakeMessage.text("x")).provenBy(TestProofs.of("shop", 8), SHIPPING));
    assertIsAsTheSenderMadeIt(
        all(FakeMessage.text("x")).provenBy(TestProofs.of("warehouse", 7), SHIPPING));
  }

  @Test
  void aProofIsWorthNothingOnAnotherMessage() throws JMSException {
    Object ofShipping = proof(all(FakeMessage.text("x")).provenBy(PROOFS, SHIPPING));
    Object ofBilling = proof(all(FakeMessage.text("x")).provenBy(PROOFS, BILLING));
    for (FakeMessage other :
        List.of(
            all(FakeMessage.text("y")),
            all(FakeMessage.bytes((byte) 'x')),
            all(FakeMessage.text("x")).with("OutboxMessageId", ID.replace('0', '1')),
            all(FakeMessage.text("x")).with("InboxOnlyFor", "another"),
            all(FakeMessage.text("x")).with("InboxAttempt", 4),
            all(FakeMessage.text("x")).with("InboxAttempt", "3"),
            all(FakeMessage.text("x")).with("InboxStored", "7.3"),
            all(FakeMessage.text("x")).with("InboxMayReply", false),
            all(FakeMessage.text("x")).with("InboxMayReply", "true"),
            all(FakeMessage.text("x")).with("InboxMessageId", "ID:another"),
            all(FakeMessage.text("x")).with("InboxRequestId", "ID:another"))) {
      assertThat(isBelieved(other.with("InboxProof", ofShipping))).isFalse();
      assertThat(isBelieved(other.with("InboxProof", ofBilling))).isFalse();
    }
    FakeMessage renamed = all(FakeMessage.text("x")).with("orderNo", "8");
    assertThat(isBelieved(renamed.with("InboxProof", ofBilling))).isFalse();
    String swapped = ofShipping.toString().replace(".c2hpcHBpbmc", ".YmlsbGluZw");
    assertThat(swapped).as("it says billing").isNotEqualTo(ofShipping);
    assertThat(isBelieved(all(FakeMessage.text("x")).with("InboxProof", swapped))).isFalse();
    assertThat(isBelieved(all(FakeMessage.text("x")).with("InboxProof", ofShipping))).isTrue();
    assertThat(isBelieved(all(FakeMessage.text("x")).with("InboxProof", ofBilling))).isTrue();
  }

  @Test
  void aMessageWithoutControlPropertiesNeedsNoKey() throws JMSException {
    Proofs withoutKey =
        new Proofs(
            "shop",
            () -> {
              throw new InboxException("not ready", null);
            });
    FakeMessage plain = FakeMessage.text("x").with("OutboxMessageId", ID).with("InboxProof", "1");

    assertThat(read(SHIPPING, plain, withoutKey).id()).isEqualTo(new Known(ID));
    FakeMessage copy = all(FakeMessage.text("x")).provenBy(PROOFS, SHIPPING);
    assertThatThrownBy(() -> read(SHIPPING, copy, withoutKey)).hasMessage("not ready");
  }

  @Test
  void itIsLoggedOnceAMinuteAtMost() throws JMSException {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // it may be anything, and overflow
    Proofs proofs = new Proofs("shop", () -> new byte[32], nanos::get);
    FakeMessage forged = FakeMessage.text("x").with("OutboxMessageId", ID);
    forged.with("InboxOnlyFor", "billing").with("InboxAttempt", 3);

    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        read(SHIPPING, forged, proofs);
      }
      assertThat(lines.all()).hasSize(1);
      assertThat(lines.all().get(0))
          .contains("IBX0140", "'shipping'", "(InboxOnlyFor, InboxAttempt)", ID, "(1 such");

      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
      read(SHIPPING, forged, proofs);
      assertThat(lines.all()).hasSize(2);
      assertThat(lines.all().get(1)).contains("(3 such");
    }
  }

  private static void assertIsAsTheSenderMadeIt(FakeMessage message) throws JMSException {
    assertThat(read(SHIPPING, message).id()).isEqualTo(new Known(ID));
    assertThat(read(BILLING, message).id()).isEqualTo(new Known("7"));
    assertThat(read(AUDIT, message).id()).isEqualTo(new Known("ID:new"));
    for (Consumer consumer : List.of(SHIPPING, BILLING, AUDIT)) {
      Delivery delivery = read(consumer, message);
      assertThat(delivery.history()).isEqualTo(History.NONE);
      assertThat(delivery.content().get().properties()).doesNotContain("\"Inbox");
    }
  }

  private static boolean isBelieved(FakeMessage message) throws JMSException {
    ProvenProperties proven = PROOFS.provenIn(message.as(Message.class));
    assertThat(proven.ignored().isEmpty()).isEqualTo(!proven.properties().isEmpty());
    return proven.ignored().isEmpty();
  }

  private static Object proof(FakeMessage message) throws JMSException {
    return message.as(Message.class).getObjectProperty("InboxProof");
  }

  /** All that a copy can carry. */
  private static FakeMessage all(FakeMessage message) {
    return copy(message).with("InboxOnlyFor", "elsewhere");
  }

  private static FakeMessage copy(FakeMessage message) {
    return message
        .header("JMSMessageID", "ID:new")
        .with("OutboxMessageId", ID)
        .with("orderNo", "7")
        .with("InboxAttempt", 3)
        .with("InboxStored", "7.2")
        .with("InboxMessageId", "ID:first")
        .with("InboxRequestId", "ID:first")
        .with("InboxMayReply", true);
  }

  private static Delivery read(Consumer consumer, FakeMessage message) throws JMSException {
    return read(consumer, message, PROOFS);
  }

  private static Delivery read(Consumer consumer, FakeMessage message, Proofs proofs)
      throws JMSException {
    return DeliveryReader.read(
        consumer,
        message.as(Message.class),
        type -> {
          throw new AssertionError("nobody asked for " + type);
        },
        proofs,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }
}
