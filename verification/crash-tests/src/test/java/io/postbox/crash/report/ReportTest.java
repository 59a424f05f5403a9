package io.postbox.crash.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.model.Checker;
import io.postbox.testkit.model.Event;
import io.postbox.testkit.model.FinalState;
import io.postbox.testkit.model.FinalState.Captures;
import io.postbox.testkit.model.FinalState.Invoice;
import io.postbox.testkit.model.FinalState.Order;
import io.postbox.testkit.model.FinalState.Shipment;
import io.postbox.testkit.model.FinalState.Stored;
import io.postbox.testkit.model.FinalState.Versions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final String SKU = "BOOK-1";
  private static final UUID MESSAGE = new UUID(0, 2);

  @Test
  void aFailureTellsTheOrdersWholeLife(@TempDir Path folder) {
    List<Event> history =
        List.of(
            new Event.Acknowledged(
                Duration.ofSeconds(2), Duration.ofMillis(1_900), 2, MESSAGE, SKU, 2),
            new Event.Marked(Duration.ofSeconds(10), "server-1", "killed"),
            new Event.Resent(Duration.ofSeconds(11), 2, "202"));
    FinalState state =
        new FinalState(
            List.of(new Order(2, SKU, 2, "SHIPPED", MESSAGE.toString())),
            List.of(new Shipment(102, 2, SKU, 2), new Shipment(104, 2, SKU, 2)),
            List.of(new Invoice(201, 2, 102)),
            Map.of(),
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            Set.of(MESSAGE.toString()),
            new Captures(
                List.of(new Stored("shipping", MESSAGE.toString(), SKU, "PROCESSED")),
                List.of(),
                List.of(),
                1,
                List.of()),
            Versions.NONE,
            FinalState.Jobs.NONE,
            Map.of(),
            List.of(),
            List.of());

    Report report = new Report("h2", "./mvnw verify -Pcrash -Dseed=42", folder);
    report.begin(7);
    String story = report.failure(history, state, Checker.check(history, state));

    assertThat(story)
        .contains("-Dseed=42", "DOUBLED: order 2 has shipments [102, 104]")
        .containsSubsequence(
            "10.00 s  server-1 killed",
            "2.00 s  order 2 (2 x BOOK-1), asked for at 1.90 s, answered 201",
            "10.00 s  server-1 killed",
            "11.00 s  order 2 asked for again: 202",
            "in the end: Shipment[id=104, orderId=2",
            "in the end: Invoice[id=201, orderId=2",
            "in the end: Stored[consumer=shipping");
  }
}
