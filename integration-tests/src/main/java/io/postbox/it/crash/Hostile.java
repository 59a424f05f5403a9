package io.postbox.it.crash;

/** A message that nobody who means well would send, to the queue in which orders come. */
enum Hostile {
  WITHOUT_AN_ID("MISSING_ID", false),
  WITH_A_MALFORMED_ID("MALFORMED_ID", false),
  /** Under the id of an order's message that was handled. */
  WITH_ANOTHER_BODY("OTHER_CONTENT", true),
  /** In the body, where JSON should be. */
  WITH_CONTROL_CHARACTERS("REJECTED", true),
  /** Megabytes that are no order. */
  HUGE("REJECTED", true),
  /** One at which the server dies while it handles it, each time. */
  DEADLY("TOO_MANY_CRASHES", true);

  private final String reason;
  private final boolean canBeKnown;

  Hostile(String reason, boolean canBeKnown) {
    this.reason = reason;
    this.canBeKnown = canBeKnown;
  }

  /** What it has to be kept aside for. */
  String reason() {
    return reason;
  }

  /** Whether a second delivery, after a crash, can be known for one: it has an id. */
  boolean canBeKnown() {
    return canBeKnown;
  }
}
