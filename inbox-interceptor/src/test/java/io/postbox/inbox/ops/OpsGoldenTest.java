package io.postbox.inbox.ops;

import io.postbox.common.RedrivePace;
import io.postbox.common.testing.Golden;
import io.postbox.inbox.InboxNode.RunningConsumer;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.ops.AttemptRecorder.Status;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts that a node writes for others, which may be of another release. */
class OpsGoldenTest {
  private static final Instant TIME = Instant.parse("2026-11-22T08:00:00.123456Z");
  private static final KeptFilter FILTER =
      KeptFilter.all()
          .ids(List.of(7L))
          .consumer("shipping")
          .messageId("m-1")
          .reason("REJECTED")
          .keptFrom(TIME)
          .keptBefore(TIME.plusSeconds(1))
          .event("OrderPlaced")
          .aggregate("Order", "17")
          .signature("5ef0")
          .errorContains("100%");

  @Test
  void aNodesReportIsUnderstood() {
    Golden.of("node-details")
        .holds(
            Stream.of(
                NodeDetails.toJson(
                    List.of(new RunningConsumer("shipping", 2, 3, 1)),
                    new Status(1, true, true),
                    List.of("no-xa"),
                    List.of("pool-size"))));
  }

  @Test
  void anActionIsGoneOnWith() {
    KeptProgress begun = KeptProgress.of("", 3);
    Golden.of("actions")
        .holds(
            Stream.of(
                new KeptActionPlan(
                        Kind.PARKED, FILTER, 9, ReplyOnRedrive.KEEP, new RedrivePace(10, 3))
                    .toJson(),
                new KeptActionPlan(Kind.QUARANTINED, KeptFilter.all(), 9).toJson(),
                begun.with(begun.course().redriven(TIME, List.of("5")).watch()).toJson(),
                KeptProgress.of("", 0).refused(7, true, "why").toJson()));
  }
}
