package io.postbox.crash.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.crash.report.Gauge.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final Gauge THREADS = new Gauge(Kind.THREADS, "");
  private static final Gauge ROWS = new Gauge(Kind.ROWS, "inbox_message");

  private final List<Map<Gauge, Double>> readings = new ArrayList<>();

  @Test
  void eachGaugeIsJudgedByItself() {
    for (int i = 0; i < 30; i++) {
      readings.add(Map.of(THREADS, 50.0 + i, ROWS, 9_000.0));
    }

    assertThat(Growth.of(readings))
        .extracting(Growth::gauge, Growth::tooMuch)
        .containsExactly(tuple(THREADS, true), tuple(ROWS, false));
  }

  /** Tables fill until the first rows are old enough to go; caches fill; code is compiled. */
  @Test
  void theFirstThirdIsForWarmingUp() {
    for (int i = 0; i < 30; i++) {
      readings.add(Map.of(ROWS, 1_000.0 * Math.min(i, 10)));
    }

    assertThat(Growth.of(readings)).noneMatch(Growth::tooMuch);
  }

  /** Threads of a kind that there was none of at first. */
  @Test
  void aGaugeThatAppearsLateAndGrowsIsFound() {
    for (int i = 0; i < 30; i++) {
      Map<Gauge, Double> reading = new TreeMap<>(Map.of(THREADS, 50.0));
      if (i > 12) {
        reading.put(new Gauge(Kind.THREADS, "reader"), i - 12.0);
      }
      readings.add(reading);
    }

    assertThat(Growth.of(readings))
        .filteredOn(Growth::tooMuch)
        .extracting(growth -> growth.gauge().text())
        .containsExactly("threads, reader");
  }
}
