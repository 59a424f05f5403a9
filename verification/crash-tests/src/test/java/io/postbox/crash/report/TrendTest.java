package io.postbox.crash.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Forty readings of about a hundred megabytes, of which 9 more are too much. */
class TrendTest {
  private static final int READINGS = 40;
  private static final double LEVEL = 100;
  private static final double NOISE = 2;
  private static final double TOO_MUCH = new Gauge(Gauge.Kind.HEAP, "").allowed(LEVEL);

  @Test
  void aStraightLineIsFound() {
    Trend trend = trend(i -> LEVEL + 3 * i);

    assertThat(trend.start()).isEqualTo(LEVEL);
    assertThat(trend.rise()).isEqualTo(3 * (READINGS - 1));
    assertThat(trend.end()).isEqualTo(LEVEL + 3 * (READINGS - 1));
  }

  @Test
  void noiseAloneIsNeverTakenForALeak() {
    for (int seed = 0; seed < 1_000; seed++) {
      assertThat(trend(noise(seed)).rise()).as("seed %s", seed).isLessThan(TOO_MUCH);
    }
  }

  /** A third of a megabyte in a minute: from one reading to the next, nothing against the noise. */
  @Test
  void aSmallLeakInNoiseIsFound() {
    for (int seed = 0; seed < 1_000; seed++) {
      IntToDoubleFunction noise = noise(seed);
      assertThat(trend(i -> noise.applyAsDouble(i) + 0.35 * i).rise())
          .as("seed %s", seed)
          .isGreaterThan(TOO_MUCH);
    }
  }

  @Test
  void aLeakIsFoundAlthoughSomeReadingsAreFarOff() {
    IntToDoubleFunction noise = noise(1);
    assertThat(trend(i -> i % 6 == 0 ? 0 : noise.applyAsDouble(i) + 0.5 * i).rise())
        .isGreaterThan(TOO_MUCH);
  }

  @Test
  void aPeakAtTheEndIsNoLeak() {
    IntToDoubleFunction noise = noise(2);
    assertThat(trend(i -> noise.applyAsDouble(i) + (i > 35 ? 80 : 0)).rise()).isLessThan(TOO_MUCH);
  }

  @Test
  void upsAndDownsAreNoLeak() {
    assertThat(trend(i -> LEVEL + i % 4 * 20).rise()).isLessThan(TOO_MUCH);
  }

  /** A pool that grew once, unless it was in the very middle, is worth nobody's time. */
  @Test
  void oneStepEarlyOrLateIsNoLeakAndAStaircaseIs() {
    assertThat(trend(i -> i < READINGS / 4 ? LEVEL : LEVEL + 30).rise()).isZero();
    assertThat(trend(i -> i < READINGS * 3 / 4 ? LEVEL : LEVEL + 30).rise()).isZero();
    assertThat(trend(i -> LEVEL + i / 8 * 5).rise()).isGreaterThan(TOO_MUCH);
  }

  @Test
  void aDeclineIsNoLeak() {
    assertThat(trend(i -> LEVEL - i).rise()).isCloseTo(1 - READINGS, within(1e-9));
  }

  @Test
  void tooFewReadingsShowNothing() {
    List<Double> few = readings(i -> LEVEL, Trend.LEAST - 1);

    assertThatThrownBy(() -> Trend.of(few)).isInstanceOf(IllegalArgumentException.class);
  }

  private static Trend trend(IntToDoubleFunction reading) {
    return Trend.of(readings(reading, READINGS));
  }

  private static List<Double> readings(IntToDoubleFunction reading, int number) {
    List<Double> readings = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      readings.add(reading.applyAsDouble(i));
    }
    return readings;
  }

  private static IntToDoubleFunction noise(int seed) {
    Random random = new Random(seed);
    return i -> LEVEL + NOISE * random.nextGaussian();
  }
}
