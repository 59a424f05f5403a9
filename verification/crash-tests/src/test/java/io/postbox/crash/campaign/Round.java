package io.postbox.crash.campaign;

import io.postbox.crash.faults.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * One round of a campaign.
 *
 * @param number from 1
 * @param seed the source of everything else about it
 */
public record Round(int number, Fault fault, long seed) {

  /**
   * The rounds that are drawn from a seed; the first ones are the same however many there are. No
   * fault has a second turn before all had their first.
   */
  public static List<Round> draw(long seed, List<Fault> faults, int rounds) {
    Random random = new Random(seed);
    List<Round> drawn = new ArrayList<>();
    while (drawn.size() < rounds) {
      List<Fault> turn = new ArrayList<>(faults);
      Collections.shuffle(turn, random);
      for (Fault fault : turn) {
        drawn.add(new Round(drawn.size() + 1, fault, random.nextLong()));
      }
    }
    return List.copyOf(drawn.subList(0, rounds));
  }
}
