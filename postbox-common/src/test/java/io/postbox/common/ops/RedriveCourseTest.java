package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorActions;
import io.postbox.common.ops.RedriveCourse.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedriveCourseTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RedriveCourse none = RedriveCourse.begin(0);

  @Test
  void theRateIsThatOfAllMessagesSoFar() {
    RedriveCourse course = none;
    int sent = 0;
    for (int halfSeconds = 0; halfSeconds < 20; halfSeconds++) {
      Instant at = NOW.plusMillis(500L * halfSeconds);
      while (course.untilDue(SECOND, at).isZero()) {
        course = course.redriven(RedriveCourse.after(course.nextDue(at), 1, 4), List.of());
        sent++;
      }
      assertThat(sent).isLessThanOrEqualTo(4 + 2 * halfSeconds + 1);
    }
    assertThat(sent).isGreaterThanOrEqualTo(38);
  }

  @Test
  void withoutALimitNothingWaits() {
    Instant next = RedriveCourse.after(NOW, 1_000, OperatorActions.HIGHEST_RATE);
    assertThat(none.redriven(next, List.of()).untilDue(SECOND, NOW)).isZero();
  }

  @Test
  void afterAPauseMessagesAreDueAtTheSameRateAndNotAllAtOnce() {
    RedriveCourse paused = none.redriven(NOW, List.of());
    Instant later = NOW.plusSeconds(3_600);
    assertThat(paused.nextDue(later)).isEqualTo(later);
    assertThat(paused.untilDue(SECOND, later)).isZero();
    RedriveCourse ahead = paused.redriven(NOW.plusSeconds(3), List.of());
    assertThat(ahead.nextDue(NOW)).isEqualTo(NOW.plusSeconds(3));
    assertThat(ahead.untilDue(SECOND, NOW)).isEqualTo(Duration.ofSeconds(2));
  }

  /** Every other action of the service waits behind this one. */
  @Test
  void afterTheDatabasesClockWasSetBackItGoesOnAtOnce() {
    RedriveCourse before = none.redriven(NOW.plusSeconds(10), List.of());
    Instant back = NOW.minusSeconds(3_600);
    assertThat(before.untilDue(SECOND, back)).isZero();
    assertThat(before.nextDue(back)).isEqualTo(back);
  }

  @Test
  void onlyTheFirstMessagesAreRemembered() {
    RedriveCourse first = RedriveCourse.begin(2).redriven(NOW, List.of("1", "2"));
    assertThat(first.phase()).isEqualTo(Phase.FIRST);
    assertThat(first.watch().first()).containsExactly("1", "2");
    assertThat(first.watch().rest().redriven(NOW, List.of("3")).first()).isEmpty();
  }

  @Test
  void itComesBackAsItWas() {
    RedriveCourse course = RedriveCourse.begin(2).redriven(NOW, List.of("1", "2")).watch();
    Map<String, String> fields = new LinkedHashMap<>();
    course.addTo(fields);
    assertThat(RedriveCourse.of(fields, 2)).isEqualTo(course);
    assertThat(RedriveCourse.of(Map.of(), 2)).isEqualTo(RedriveCourse.begin(2));
  }
}
