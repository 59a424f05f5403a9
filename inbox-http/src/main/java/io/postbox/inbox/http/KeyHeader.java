package io.postbox.inbox.http;

import java.util.Optional;

/** Reads the header {@code Idempotency-Key}: a quoted string of RFC 8941, or the bare key. */
final class KeyHeader {
  static final String NAME = "Idempotency-Key";

  static final int LONGEST = 128;

  private KeyHeader() {}

  /** The key: 1 to 128 visible ASCII characters or inner spaces; empty if it is malformed. */
  static Optional<String> parse(String value) {
    String trimmed = value.strip();
    Optional<String> key =
        trimmed.startsWith("\"") ? unquoted(trimmed) : Optional.of(trimmed).filter(KeyHeader::bare);
    return key.filter(it -> !it.isBlank() && it.length() <= LONGEST && it.equals(it.strip()));
  }

  private static boolean bare(String value) {
    return value.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != ',' && c != '\\');
  }

  private static Optional<String> unquoted(String value) {
    StringBuilder key = new StringBuilder();
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        return i == value.length() - 1 ? Optional.of(key.toString()) : Optional.empty();
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || (value.charAt(i) != '"' && value.charAt(i) != '\\')) {
          return Optional.empty();
        }
        c = value.charAt(i);
      } else if (c < ' ' || c >= 0x7f) {
        return Optional.empty();
      }
      key.append(c);
    }
    return Optional.empty();
  }
}
