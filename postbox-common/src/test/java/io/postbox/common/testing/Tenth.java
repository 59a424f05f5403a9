package io.postbox.common.testing;

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

  /** The seed of a test that draws many inputs from one: another one in each tenth. */
  public static long seed() {
    return isAll() ? 10 : Integer.parseInt(CHOSEN);
  }
}
