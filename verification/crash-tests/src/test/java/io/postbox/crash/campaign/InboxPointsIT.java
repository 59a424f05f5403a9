package io.postbox.crash.campaign;

import static io.postbox.crash.faults.CrashPoint.BUFFERED;
import static io.postbox.crash.faults.CrashPoint.BUFFER_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.CAPTURED;
import static io.postbox.crash.faults.CrashPoint.CAPTURED_DONE;
import static io.postbox.crash.faults.CrashPoint.CAPTURED_ENDED;
import static io.postbox.crash.faults.CrashPoint.CAPTURED_HANDLED;
import static io.postbox.crash.faults.CrashPoint.CAPTURED_IN_HANDLER;
import static io.postbox.crash.faults.CrashPoint.CAPTURED_LOCKED;
import static io.postbox.crash.faults.CrashPoint.CAPTURE_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.DELIVERED;
import static io.postbox.crash.faults.CrashPoint.H2_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.HANDLED;
import static io.postbox.crash.faults.CrashPoint.INBOX_ROW_WRITTEN;
import static io.postbox.crash.faults.CrashPoint.MARKED;
import static io.postbox.crash.faults.CrashPoint.MARK_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.OWN_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.RELEASED;
import static io.postbox.crash.faults.CrashPoint.RELEASE_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.RELEASE_HANDLED;
import static io.postbox.crash.faults.CrashPoint.RETRY_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.RETRY_HANDED_BACK;
import static io.postbox.crash.faults.CrashPoint.RETRY_SENT;
import static io.postbox.crash.faults.CrashPoint.RETRY_STORED;
import static io.postbox.crash.faults.CrashPoint.XA_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.XA_DECIDED;
import static io.postbox.crash.faults.CrashPoint.XA_PREPARED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.postbox.common.testing.Tenth;
import io.postbox.crash.faults.CrashPoint;
import io.postbox.testkit.model.Violation;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each point between a delivery and its acknowledgement, once in any five builds in a row, where
 * {@link CampaignIT} draws: before the database knows of it, after the inbox's insert, after the
 * handler, and after the commit. With the delivery's transaction and with one of the inbox's own.
 * Then those of a retry, from its storing to the sending of its copy, those of captured messages,
 * from their capture to the commit of their handling, and those of versions that are too early,
 * until their copies are handled.
 */
@Tag("crash")
@Tag("draws")
class InboxPointsIT {
  /** Of all modes, or with a tenth of one. */
  static List<Arguments> points() {
    return Tenth.turn(all());
  }

  private static List<Arguments> all() {
    return List.of(
        arguments(
            Mode.POSTGRESQL,
            List.of(DELIVERED, INBOX_ROW_WRITTEN, HANDLED, XA_PREPARED, XA_DECIDED, XA_COMMITTED)),
        arguments(Mode.H2, List.of(H2_COMMITTED, RETRY_STORED, RETRY_HANDED_BACK, RETRY_SENT)),
        arguments(
            Mode.OWN_ARTEMIS,
            List.of(DELIVERED, INBOX_ROW_WRITTEN, HANDLED, OWN_COMMITTED, RETRY_COMMITTED)),
        arguments(
            Mode.CAPTURE_TWO_NODES,
            List.of(
                CAPTURED,
                CAPTURE_COMMITTED,
                CAPTURED_LOCKED,
                CAPTURED_IN_HANDLER,
                CAPTURED_HANDLED,
                CAPTURED_ENDED,
                CAPTURED_DONE)),
        arguments(
            Mode.EARLY_TWO_NODES,
            List.of(
                BUFFERED,
                BUFFER_COMMITTED,
                MARKED,
                MARK_COMMITTED,
                RELEASE_COMMITTED,
                RELEASED,
                RELEASE_HANDLED)));
  }

  @ParameterizedTest
  @MethodSource("points")
  void everyAnsweredOrderIsShippedOnceThoughTheServerDiesAtEach(
      Mode mode, List<CrashPoint> points) {
    CampaignSettings settings =
        CampaignSettings.read()
            .playing("inbox-points", points.stream().map(CrashPoint::name).toList());
    try (Campaign campaign = new Campaign(settings, mode)) {
      List<Violation> violations = campaign.run();
      assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
    }
  }
}
