package io.postbox.it.engine;

import io.postbox.it.engine.Engine.Begun;
import java.util.List;

/**
 * The effect of a message that always fails on others in its queue.
 *
 * @param tries how often it was tried
 * @param triedNanos from its first try to its last
 * @param goodBetweenTries how many others were begun with between those
 * @param longestGapNanos the longest time in which none of the others was begun with, between the
 *     first and the last of them
 */
record Interference(int tries, long triedNanos, long goodBetweenTries, long longestGapNanos) {

  /**
   * Measures it.
   *
   * @param begun the messages that were begun with, one after the other
   * @param poison the text of the one that fails
   */
  static Interference of(List<Begun> begun, String poison) {
    List<Long> tries =
        begun.stream().filter(one -> one.text().equals(poison)).map(Begun::nanos).sorted().toList();
    List<Long> good =
        begun.stream()
            .filter(one -> !one.text().equals(poison))
            .map(Begun::nanos)
            .sorted()
            .toList();
    long first = tries.get(0);
    long last = tries.get(tries.size() - 1);
    long longestGap = 0;
    for (int i = 1; i < good.size(); i++) {
      longestGap = Math.max(longestGap, good.get(i) - good.get(i - 1));
    }
    return new Interference(
        tries.size(),
        last - first,
        good.stream().filter(nanos -> nanos > first && nanos < last).count(),
        longestGap);
  }

  /** One line for a person. */
  String text() {
    return "poison tried %s times in %s ms, %s good messages meanwhile, the longest gap between two of them %s ms"
        .formatted(tries, triedNanos / 1_000_000, goodBetweenTries, longestGapNanos / 1_000_000);
  }
}
