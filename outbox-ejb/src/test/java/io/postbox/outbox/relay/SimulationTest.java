package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.Tenth;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A {@link Tenth} of the runs. {@code -Dsimulation.seed=} leaves none out from that seed on, and
 * {@code -Dsimulation.steps=1} does no other; more steps than in CI are for a long night.
 */
class SimulationTest {
  private static final Logger LOG = Logger.getLogger("io.postbox.outbox");
  private static final long STEPS_OF_A_RUN = 8_000;

  /** So many that everything happens in them. */
  private static final long MANY = 1_000_000;

  private static final Set<String> TO_HAPPEN =
      Set.of(
          "busy",
          "crashes",
          "discarded",
          "first loads lost",
          "given up",
          "holds",
          "lost commits",
          "now DEAD",
          "now DELAYED",
          "now HELD",
          "paused",
          "policies changed",
          "redriven",
          "rejections",
          "released in part",
          "rolled back",
          "sends of several",
          "sent again",
          "short reads",
          "spoilt batches",
          "stops",
          "threads refused",
          "threads replaced",
          "wake-ups refused");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void beHeard() {
    LOG.setLevel(null);
  }

  @Test
  void thePromiseHoldsInEveryRun() {
    Long chosen = Long.getLong("simulation.seed");
    long wanted = Long.getLong("simulation.steps", Tenth.isAll() ? MANY : MANY / 10);
    long seed = chosen == null ? 0 : chosen - 1;
    long steps = 0;
    long runs = 0;
    Map<String, Integer> counts = new TreeMap<>();
    long start = System.nanoTime();
    while (steps < wanted) {
      seed++;
      if (chosen == null && !Tenth.has(seed)) {
        continue;
      }
      Simulation.Outcome outcome = Simulation.run(seed, STEPS_OF_A_RUN, Set.of());
      runs++;
      steps += outcome.steps();
      outcome.counts().forEach((what, n) -> counts.merge(what, n, Integer::sum));
    }
    System.out.printf(
        "simulation: %s seeds up to %s, %s steps, %s steps a second, %s%n",
        runs, seed, steps, steps * 1_000_000_000L / (System.nanoTime() - start), counts);
    assertThat(steps).isGreaterThanOrEqualTo(wanted);
    if (wanted >= MANY) {
      assertThat(counts.keySet()).as("all of this has happened").containsAll(TO_HAPPEN);
    }
  }
}
