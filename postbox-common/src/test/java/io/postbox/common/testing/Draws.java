package io.postbox.common.testing;

import java.util.Base64;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of what a fuzzer gives: bytes. Each draw takes some; when none are left, it is zeros
 * that are drawn. The shapes that parsers stumble over are drawn more often than they would be
 * found in bytes alone: limits of numbers, half characters, control characters, quotes.
 */
public final class Draws {
  private static final long SEED = 20_261_121;
  private static final int LONGEST_INPUT = 400;
  private static final String ODD =
      "\0\t\n\r"
          + "\u001f\u007f\u0085\u009b\u2028\u2029\ufeff\ud83d\ude00\udc00?\"\\'/:;,.=-+_%! {}[]<>";
  private static final String PLAIN = "abcdefzABCFZ0123456789";

  private final byte[] bytes;
  private int at;

  /** A rule that is to hold for each input. */
  @FunctionalInterface
  public interface Property {
    /** Fails if it does not hold. */
    void holdsFor(byte[] input) throws Exception;
  }

  public Draws(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Tries the same inputs each time, or a {@link Tenth} of them. */
  public static void check(int inputs, Property property) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < inputs; i++) {
      byte[] input = new byte[random.nextInt(1 + random.nextInt(LONGEST_INPUT))];
      random.nextBytes(input);
      if (!Tenth.has(i)) {
        continue;
      }
      try {
        property.holdsFor(input);
      } catch (Exception | AssertionError | StackOverflowError broken) {
        throw new AssertionError(
            "input %s, in Base64 %s".formatted(i, Base64.getEncoder().encodeToString(input)),
            broken);
      }
    }
  }

  private int next() {
    return at < bytes.length ? bytes[at++] & 0xff : 0;
  }

  public boolean flag() {
    return (next() & 1) == 1;
  }

  /** From 0 to one less. */
  public int below(int bound) {
    int drawn = bound <= 256 ? next() : next() << 16 | next() << 8 | next();
    return drawn % bound;
  }

  @SafeVarargs
  public final <T> T oneOf(T... choices) {
    return choices[below(choices.length)];
  }

  /** A number, often one at which something overflows. */
  public long number() {
    return switch (below(4)) {
      case 0 -> below(24);
      case 1 ->
          oneOf(
                  (long) Integer.MAX_VALUE,
                  (long) Integer.MIN_VALUE,
                  Long.MAX_VALUE,
                  Long.MIN_VALUE,
                  (long) Short.MAX_VALUE,
                  1_000_000L,
                  1L << 53,
                  0L)
              + oneOf(0, 1, -1);
      case 2 -> bits() >> below(Long.SIZE);
      default -> bits();
    };
  }

  private long bits() {
    long bits = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      bits = bits << Byte.SIZE | next();
    }
    return bits;
  }

  public double fraction() {
    return switch (below(4)) {
      case 0 ->
          oneOf(
              Double.NaN,
              Double.NEGATIVE_INFINITY,
              Double.MAX_VALUE,
              Double.MIN_VALUE,
              -0.0,
              0x1p63,
              -0x1p63,
              0x1p53);
      case 1 -> below(64) / 4.0;
      default -> Double.longBitsToDouble(bits());
    };
  }

  public byte[] octets(int longest) {
    byte[] octets = new byte[below(longest + 1)];
    for (int i = 0; i < octets.length; i++) {
      octets[i] = (byte) next();
    }
    return octets;
  }

  /** Any characters, also those that are no Unicode on their own. */
  public String text(int longest) {
    StringBuilder text = new StringBuilder();
    for (int left = below(longest + 1); left > 0; left--) {
      switch (below(8)) {
        case 0 -> text.append(ODD.charAt(below(ODD.length())));
        case 3 -> text.append("\ud83d\ude00");
        case 1 -> text.append((char) (next() << 8 | next()));
        case 2 -> text.append((char) next());
        default -> text.append(PLAIN.charAt(below(PLAIN.length())));
      }
    }
    return text.toString();
  }

  /** A text of about a length, whose end may be odd: it just fits, or just does not. */
  public String about(int length) {
    String end = text(3);
    return "x".repeat(Math.max(0, length - below(5))) + end;
  }

  /** A text with a few characters changed, taken out, doubled or put in. */
  public String changed(String text) {
    StringBuilder changed = new StringBuilder(text);
    for (int changes = below(4); changes > 0 && changed.length() > 0; changes--) {
      int place = below(changed.length());
      switch (below(5)) {
        case 0 -> changed.setCharAt(place, ODD.charAt(below(ODD.length())));
        case 1 -> changed.deleteCharAt(place);
        case 2 -> changed.insert(place, text(2));
        case 3 -> changed.setCharAt(place, PLAIN.charAt(below(PLAIN.length())));
        default -> changed.append(changed.substring(place));
      }
    }
    return changed.toString();
  }

  /** A value that a JMS property can have. */
  public Object propertyValue() {
    return switch (below(8)) {
      case 0 -> flag();
      case 1 -> (byte) number();
      case 2 -> (short) number();
      case 3 -> (int) number();
      case 4 -> number();
      case 5 -> (float) fraction();
      case 6 -> fraction();
      default -> text(12);
    };
  }

  /** A value that a map or stream message can hold. */
  public @Nullable Object bodyValue() {
    return switch (below(5)) {
      case 0 -> (char) (next() << 8 | next());
      case 1 -> octets(6);
      case 2 -> null;
      default -> propertyValue();
    };
  }

  /** A UUID in its usual form, of any version. */
  public String uuid() {
    return new UUID(bits(), bits()).toString();
  }
}
