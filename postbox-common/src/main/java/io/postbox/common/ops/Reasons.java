package io.postbox.common.ops;

import io.postbox.common.text.Storable;

/** Checks the reason that an operator gives for an action. */
public final class Reasons {
  private static final int LONGEST = 1_000;

  private Reasons() {}

  /**
   * The reason as it goes on record.
   *
   * @throws IllegalArgumentException if it is blank or too long
   */
  public static String checked(String reason) {
    String said = Storable.printable(reason).strip();
    if (said.isEmpty() || said.length() > LONGEST) {
      throw new IllegalArgumentException(
          "A reason has 1 to %s characters, and this one has %s; nothing was changed. It goes on record in postbox_audit."
              .formatted(LONGEST, said.length()));
    }
    return said;
  }
}
