package io.postbox.it.crash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * One round of a campaign in which the server dies at a named point.
 *
 * @param number from 1
 * @param passing the how-manieth time that the point is passed under load
 */
record Strike(int number, CrashPoint point, int passing) {
  private static final int LATEST_PASSING = 8;

  /**
   * The strikes that a seed stands for; the first ones are the same however many there are. No
   * point has a second turn before all had their first.
   */
  static List<Strike> draw(long seed, List<CrashPoint> points, int strikes) {
    Random random = new Random(seed);
    List<Strike> drawn = new ArrayList<>();
    while (drawn.size() < strikes) {
      List<CrashPoint> turn = new ArrayList<>(points);
      Collections.shuffle(turn, random);
      for (CrashPoint point : turn) {
        drawn.add(new Strike(drawn.size() + 1, point, 1 + random.nextInt(LATEST_PASSING)));
      }
    }
    return List.copyOf(drawn.subList(0, strikes));
  }

  /** For a person. */
  String how() {
    return "killed at %s, passing %d".formatted(point, passing);
  }

  List<Rule> rules() {
    return point.rules(passing);
  }
}
