package io.postbox.common.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known name that a misspelled one may mean. */
public final class Spelling {
  private static final int MOST_SLIPS = 2;

  private Spelling() {}

  /**
   * The known name nearest to the written one: it differs in letter case, by one slip, or by two
   * slips if the name is long.
   */
  public static Optional<String> nearest(String written, Collection<String> known) {
    return known.stream()
        .filter(name -> isNear(written, name))
        .min(
            Comparator.<String>comparingInt(name -> distance(written, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Whether one of two different names may be a misspelling of the other. */
  public static boolean isNear(String written, String name) {
    return written.equalsIgnoreCase(name)
        || distance(written, name) <= Math.max(1, Math.min(MOST_SLIPS, name.length() / 3));
  }

  /** How many letters to insert, drop, change, or swap with their neighbour. */
  public static int distance(String one, String other) {
    int[][] slips = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        slips[i][j] = i == 0 || j == 0 ? i + j : fewest(slips, one, i, other, j);
      }
    }
    return slips[one.length()][other.length()];
  }

  private static int fewest(int[][] slips, String one, int i, String other, int j) {
    int change = slips[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
    int least = Math.min(change, 1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return swapped ? Math.min(least, slips[i - 2][j - 2] + 1) : least;
  }
}
