package io.postbox.outbox.jms;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.testing.Golden;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The properties and ids by which receivers and the broker know messages. */
class JmsGoldenTest {
  private static final DuplicateDetectionIds DUPLICATE_IDS =
      new DuplicateDetectionIds("shop", new byte[32]);

  @Test
  void aMessageKeepsItsProperties() throws JMSException {
    RecordedMessage made = new RecordedMessage();
    Headers headers = new Headers("c-1", "replies", 4L, "congo=t61", Map.of());
    new JmsMessages("shop", DuplicateDetection.ARTEMIS, DUPLICATE_IDS)
        .build(made.session(), stored(headers), headers, TraceContext.of("00-trace", "congo=t61"));

    Map<String, Object> all = new TreeMap<>(made.properties());
    all.putAll(made.headers());
    Golden.of("message-properties")
        .holds(
            all.entrySet().stream()
                .map(
                    each ->
                        "%s %s %s"
                            .formatted(
                                each.getKey(),
                                each.getValue().getClass().getSimpleName(),
                                each.getValue())));
  }

  private static StoredMessage stored(Headers headers) {
    Envelope envelope =
        new Envelope(
            UUID.fromString("018f6f3a-0000-7000-8000-000000000001"),
            "shipping",
            "Order/7",
            "Order",
            "7",
            "mDqjyA7GuyQbzYm7HqDkpw",
            "OrderPlaced",
            "2.1",
            "text/plain",
            new Body.Text("x"),
            headers.toJson(),
            null);
    return new StoredMessage(
        3,
        envelope,
        0,
        Instant.parse("2026-11-22T08:00:00.123456Z"),
        Duration.ZERO,
        Duration.ofMinutes(1),
        null);
  }
}
