package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dsimulation.seed=} begins with that seed, and {@code -Dsimulation.steps=1} does no other;
 * more steps than in CI are for a long night.
 */
class SimulationTest {
  private static final Logger LOG = Logger.getLogger("io.postbox.outbox");
  private static final long STEPS_OF_A_RUN = 8_000;

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
          "redriven",
          "rejections",
          "rolled back",
          "sends of several",
          "sent again",
          "short reads",
          "spoilt batches",
          "stops",
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
    long wanted = Long.getLong("simulation.steps", 1_000_000);
    long first = Long.getLong("simulation.seed", 1);
    long steps = 0;
    long runs = 0;
    Map<String, Integer> counts = new TreeMap<>();
    long start = System.nanoTime();
    while (steps < wanted) {
      Simulation.Outcome outcome = Simulation.run(first + runs++, STEPS_OF_A_RUN, Set.of());
      steps += outcome.steps();
      outcome.counts().forEach((what, n) -> counts.merge(what, n, Integer::sum));
    }
    System.out.printf(
        "simulation: seeds %d to %d, %d steps, %d steps a second, %s%n",
        first,
        first + runs - 1,
        steps,
        steps * 1_000_000_000L / (System.nanoTime() - start),
        counts);
    assertThat(steps).isGreaterThanOrEqualTo(wanted);
    if (wanted >= 1_000_000) {
      assertThat(counts.keySet()).as("all of this has happened").containsAll(TO_HAPPEN);
    }
  }
}
