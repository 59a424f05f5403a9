package io.postbox.it.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * One round of a campaign.
 *
 * @param number from 1
 * @param kills the first, after the first order of the load was answered; each other, after the
 *     start that followed the one before, while the server starts, recovers, or has just begun to
 *     catch up
 */
record Round(int number, List<Duration> kills) {
  private static final int KILLED_TWICE_ONE_IN = 3;

  /** The rounds that a seed stands for; the first ones are the same however many there are. */
  static List<Round> draw(long seed, int rounds) {
    Random random = new Random(seed);
    List<Round> drawn = new ArrayList<>();
    for (int number = 1; number <= rounds; number++) {
      List<Duration> kills = new ArrayList<>();
      kills.add(between(random, 200, 3_000));
      Duration again = between(random, 1_000, 9_000);
      if (number % KILLED_TWICE_ONE_IN == 0) {
        kills.add(again);
      }
      drawn.add(new Round(number, List.copyOf(kills)));
    }
    return List.copyOf(drawn);
  }

  /** For a person. */
  String how() {
    return "killed after " + kills.stream().map(Life::seconds).collect(Collectors.joining(" and "));
  }

  private static Duration between(Random random, int low, int high) {
    return Duration.ofMillis(low + random.nextInt(high - low));
  }
}
