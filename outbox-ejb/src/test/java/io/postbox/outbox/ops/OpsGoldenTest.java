package io.postbox.outbox.ops;

import io.postbox.common.testing.Golden;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.config.OutboxConfig.RelayMode;
import io.postbox.outbox.ops.Nodes.Report;
import io.postbox.outbox.relay.CircuitBreakers.OpenCircuit;
import io.postbox.outbox.relay.RelayStatus;
import io.postbox.outbox.relay.RelayStatus.InHand;
import io.postbox.outbox.store.StoredErrors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Texts that one node writes for others, which may be of another release. */
class OpsGoldenTest {
  private static final Instant TIME = Instant.parse("2026-11-22T08:00:00.123456Z");
  private static final UUID ID = UUID.fromString("018f6f3a-0000-7000-8000-000000000001");
  private static final DeadLetterFilter FILTER =
      DeadLetterFilter.all()
          .ids(List.of(ID))
          .destination("shipping")
          .event("OrderPlaced")
          .aggregate("Order", 17)
          .orderedBy("k")
          .signature("5ef0")
          .errorContains("100%")
          .enqueuedFrom(TIME)
          .enqueuedBefore(TIME.plusSeconds(1));

  @Test
  void aNodesReportIsUnderstood() {
    RelayStatus status =
        new RelayStatus(
            Optional.of(Duration.ofMillis(1_500)),
            List.of(
                new OpenCircuit(
                    "shipping", false, Duration.ofSeconds(60), Duration.ofSeconds(4), 12, "down")),
            List.of(new InHand(3, List.of("shipping"), Duration.ofMillis(40))),
            Map.of(5, Duration.ofSeconds(61)));
    NodeDetails details = new NodeDetails(StoredErrors.CLEAR);
    Golden.of("node-details")
        .holds(
            Stream.of(
                details.toJson(
                    "a",
                    new Report(relay(true), status, List.of("h2-version"), List.of("pool-size"))),
                details.toJson(
                    "a", new Report(relay(false), RelayStatus.NONE, List.of(), List.of()))));
  }

  private static RelayConfig relay(boolean enabled) {
    return new RelayConfig(RelayMode.POLLING, "slot", enabled, 4, 100, Duration.ofSeconds(30));
  }

  @Test
  void anActionIsGoneOnWith() {
    MessagePlan letters = MessagePlan.ofDead(FILTER, TIME).redriven(10, 3);
    LetterProgress none = LetterProgress.of("", letters);
    LetterProgress begun = none.with(none.course().redriven(TIME, List.of(ID.toString())));
    Golden.of("actions")
        .holds(
            Stream.of(
                letters.toJson(),
                MessagePlan.ofDead(DeadLetterFilter.all(), TIME).toJson(),
                MessagePlan.ofWaiting("shipping", TIME, false).toJson(),
                begun.toJson(),
                begun.after(17).with(begun.course().rest()).toJson()));
  }
}
