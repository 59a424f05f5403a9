package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.TestConfig;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JmsMessagesTest {
  private static final UUID ID = new UUID(1, 2);
  private static final Body TEXT = new Body.Text("x");
  private static final Instant CREATED = Instant.parse("2026-11-22T08:00:00Z");
  private static final byte[] SECRET = "of the service".getBytes(StandardCharsets.US_ASCII);
  private static final DuplicateDetectionIds DUPLICATE_IDS =
      new DuplicateDetectionIds("shop", SECRET);

  private final RecordedMessage made = new RecordedMessage();

  private void make(Body body, Headers headers, TraceContext trace) throws JMSException {
    Envelope envelope =
        new Envelope(
            ID,
            "shipping",
            "Order:7",
            "Order",
            "7",
            "digest",
            "OrderPlaced",
            "2.1",
            "text/plain",
            body,
            headers.toJson(),
            null);
    make(DuplicateDetection.NONE, envelope, headers, trace);
  }

  private void make(
      DuplicateDetection detection, Envelope envelope, Headers headers, TraceContext trace)
      throws JMSException {
    StoredMessage stored =
        new StoredMessage(3, envelope, 0, CREATED, Duration.ZERO, Duration.ofMinutes(1), null);
    new JmsMessages("shop", detection, DUPLICATE_IDS).build(made.session(), stored, headers, trace);
  }

  private static Envelope bare(Body body) {
    return new Envelope(
        ID, "shipping", null, null, null, null, null, null, "text/plain", body, "{}", null);
  }

  @Test
  void aMessageHasAllThatTheContractPromises() throws JMSException {
    make(
        new Body.Text("hello"),
        new Headers("c-1", "answers", 4L, "vendor=1", Map.of("priority", 5)),
        TraceContext.of("00-trace", "vendor=2"));

    assertThat(made.body()).isEqualTo("hello");
    assertThat(made.headers())
        .containsOnly(entry("JMSType", "OrderPlaced"), entry("JMSCorrelationID", "c-1"));
    assertThat(made.properties())
        .containsOnly(
            entry("OutboxMessageId", ID.toString()),
            entry("OutboxSource", "shop"),
            entry("OutboxContentType", "text/plain"),
            entry("OutboxCreatedAt", "2026-11-22T08:00:00Z"),
            entry("OutboxEventType", "OrderPlaced"),
            entry("OutboxAggregateType", "Order"),
            entry("OutboxAggregateId", "7"),
            entry("OutboxAggregateVersion", 4L),
            entry("OutboxDataSubject", "digest"),
            entry("OutboxSchemaVersion", "2.1"),
            entry("JMSXGroupID", "Order:7"),
            entry("priority", 5),
            entry("traceparent", "00-trace"),
            entry("tracestate", "vendor=2"));
  }

  @Test
  void absentValuesAreNotSet() throws JMSException {
    make(DuplicateDetection.NONE, bare(new Body.Text("x")), Headers.NONE, TraceContext.NONE);

    assertThat(made.headers()).isEmpty();
    assertThat(made.properties())
        .containsOnlyKeys(
            "OutboxMessageId", "OutboxSource", "OutboxContentType", "OutboxCreatedAt");
  }

  @Test
  void octetsStayOctets() throws JMSException {
    make(new Body.Bytes(new byte[] {0, -1}), Headers.NONE, TraceContext.NONE);

    assertThat(made.body()).isEqualTo(ByteBuffer.wrap(new byte[] {0, -1}));
  }

  @Test
  void artemisGetsAnIdToKnowRepeatsBy() throws JMSException {
    make(DuplicateDetection.ARTEMIS, bare(new Body.Text("x")), Headers.NONE, TraceContext.NONE);

    assertThat(made.properties())
        .containsEntry("_AMQ_DUPL_ID", "tbzAH4rNBidgUro6zu_vovp8jQmKhR0T9OMXv7zrElw")
        .containsEntry("OutboxMessageId", ID.toString());
  }

  /** Otherwise a reader of a log could send the id first, and the message would count as sent. */
  @Test
  void theMessageIdDoesNotRevealTheDuplicateId() throws JMSException {
    make(DuplicateDetection.ARTEMIS, bare(new Body.Text("x")), Headers.NONE, TraceContext.NONE);

    assertThat(made.properties().get("_AMQ_DUPL_ID").toString())
        .doesNotContain(ID.toString())
        .isNotEqualTo(duplicateId("shop", new byte[] {1}, "shipping", ID))
        .isEqualTo(duplicateId("shop", SECRET, "shipping", ID));
  }

  @Test
  void aRepeatIsKnownOnlyAtTheSameDestinationOfTheSameService() {
    assertThat(
            Set.of(
                duplicateId("shop", SECRET, "shipping", ID),
                duplicateId("shop2", SECRET, "shipping", ID),
                duplicateId("shop", SECRET, "orders", ID),
                duplicateId("shop", SECRET, "shipping", new UUID(1, 3))))
        .hasSize(4);
  }

  private static String duplicateId(String service, byte[] secret, String destination, UUID id) {
    Envelope envelope =
        new Envelope(
            id, destination, null, null, null, null, null, null, "text/plain", TEXT, "{}", null);
    return new DuplicateDetectionIds(service, secret)
        .of(new StoredMessage(3, envelope, 7, CREATED, Duration.ZERO, null, null));
  }

  @Test
  void inTwoPhasesTheBrokerHasNoRepeatsToKnow() {
    TestConfig config = TestConfig.DEFAULT;

    assertThat(JmsMessages.of(config.withXa().config(), SECRET).duplicateDetection())
        .isEqualTo(DuplicateDetection.NONE);
    assertThat(JmsMessages.of(config.config(), SECRET).duplicateDetection())
        .isEqualTo(config.config().duplicateDetection());
    assertThat(JmsMessages.of(config.config(), SECRET).service()).isEqualTo(config.service());
  }

  @Test
  void aPayloadThatIsNotOpenIsNoBody() {
    assertThatThrownBy(
            () -> make(new Body.Encrypted(new byte[] {1}, "key"), Headers.NONE, TraceContext.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the payload is not open: message " + ID + " to shipping");
  }
}
