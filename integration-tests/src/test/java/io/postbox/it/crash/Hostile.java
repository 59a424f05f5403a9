package io.postbox.it.crash;

/** A message that nobody who means well would send, to the queue in which orders come. */
enum Hostile {
  WITHOUT_AN_ID("MISSING_ID"),
  WITH_A_MALFORMED_ID("MALFORMED_ID"),
  /** Under the id of an order's message that was handled. */
  WITH_ANOTHER_BODY("OTHER_CONTENT"),
  /** In the body, where JSON should be. */
  WITH_CONTROL_CHARACTERS("REJECTED"),
  /** Megabytes that are no order. */
  HUGE("REJECTED");

  private final String reason;

  Hostile(String reason) {
    this.reason = reason;
  }

  /** What it has to be kept aside for. */
  String reason() {
    return reason;
  }
}
