package io.postbox.inbox.message;

/** Why a message was parked. The names are stored; none is longer than 30 characters. */
public enum ParkReason {
  /** Its handler failed as often as it may. */
  TOO_MANY_FAILURES("its handler failed as often as it may"),
  /** Its handler met time-outs, deadlocks or lost connections as often as it may. */
  TOO_MANY_TRANSIENT_FAILURES("its handler failed transiently as often as it may"),

  /** Its handler ended the process that it ran in as often as it may. */
  TOO_MANY_CRASHES("the process that handled it died as often as it may"),

  /** Its handler rejected it. */
  REJECTED("its handler rejected it"),
  /** A version of its aggregate before it did not come. */
  VERSION_MISSING("an earlier version of its aggregate did not come"),
  /** Its aggregate is not known, and its consumer knows as many as it may. */
  TOO_MANY_AGGREGATES("its aggregate is new, and its consumer knows as many as it may");

  private final String text;

  ParkReason(String text) {
    this.text = text;
  }

  /** The second half of a sentence about the message. */
  public String text() {
    return text;
  }
}
