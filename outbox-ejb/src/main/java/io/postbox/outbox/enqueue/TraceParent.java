package io.postbox.outbox.enqueue;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code traceparent} of W3C Trace Context: strict in version 00; from a later version
 * it reads the parts that version 00 knows and ignores the others.
 *
 * @param traceId 32 hexadecimal digits, not all zero
 * @param parentId 16 hexadecimal digits, not all zero
 * @param flags 2 hexadecimal digits
 */
record TraceParent(String traceId, String parentId, String flags) {
  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
  private static final String KNOWN = "00";
  private static final String FORBIDDEN = "ff";
  private static final int SAMPLED = 1;
  private static final int LONGEST_STATE = 512;

  /** Whether a header {@code tracestate} can be passed on; its parts are the vendors'. */
  static boolean isState(String header) {
    return header.length() <= LONGEST_STATE
        && !header.isBlank()
        && header.chars().allMatch(it -> it >= ' ' && it <= '~');
  }

  /** Parses a header; empty if it is malformed. */
  static Optional<TraceParent> parse(String header) {
    Matcher form = FORM.matcher(header);
    if (!form.matches() || isZero(form.group(2)) || isZero(form.group(3))) {
      return Optional.empty();
    }
    return switch (form.group(1)) {
      case FORBIDDEN -> Optional.empty();
      case KNOWN ->
          form.group(5) == null
              ? Optional.of(new TraceParent(form.group(2), form.group(3), form.group(4)))
              : Optional.empty();
      default ->
          Optional.of(new TraceParent(form.group(2), form.group(3), sampledOnly(form.group(4))));
    };
  }

  /** The only flag that means the same in all versions. */
  private static String sampledOnly(String flags) {
    return (Integer.parseInt(flags, 16) & SAMPLED) == SAMPLED ? "01" : "00";
  }

  private static boolean isZero(String digits) {
    return digits.chars().allMatch(digit -> digit == '0');
  }

  /** The header, in version 00. */
  @Override
  public String toString() {
    return String.join("-", KNOWN, traceId, parentId, flags);
  }
}
