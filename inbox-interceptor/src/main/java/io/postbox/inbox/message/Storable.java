package io.postbox.inbox.message;

import java.nio.charset.StandardCharsets;

/** Which texts every database keeps as they are. */
public final class Storable {
  private Storable() {}

  /** Whether a short text can be a name or an id: real Unicode without control characters. */
  public static boolean is(String text) {
    return isText(text) && text.chars().noneMatch(Character::isISOControl);
  }

  /** Whether a text can be a payload: no NUL, which PostgreSQL refuses, and no half characters. */
  public static boolean isText(String text) {
    return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
