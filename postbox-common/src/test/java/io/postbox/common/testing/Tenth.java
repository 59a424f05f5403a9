package io.postbox.common.testing;

import java.util.List;

/**
 * Which of all inputs and seeds a build tries: {@code -Dtenth} is the last digit of their numbers,
 * or {@code all}.
 */
public final class Tenth {
  private static final String CHOSEN = System.getProperty("postbox.tenth", "all");

  private Tenth() {}

  public static boolean isAll() {
    return CHOSEN.equals("all");
  }

  /** Whether the input or seed with this number is tried. */
  public static boolean has(long number) {
    return isAll() || number % 10 == Integer.parseInt(CHOSEN);
  }

  /** All of these, or the one that is this tenth's turn: so many tenths in a row have all. */
  public static <T> List<T> turn(List<T> all) {
    return isAll() ? all : List.of(all.get(Integer.parseInt(CHOSEN) % all.size()));
  }

  /** The seed of a test that draws many inputs from one: another one in each tenth. */
  public static long seed() {
    return isAll() ? 10 : Integer.parseInt(CHOSEN);
  }
}
