package io.postbox.inbox.message;

/** Why a message was parked. The names are stored; none is longer than 30 characters. */
public enum ParkReason {
  /** The handler failed as often as {@code max-attempts} allows. */
  TOO_MANY_FAILURES("its handler failed max-attempts times"),
  /**
   * The handler met as many time-outs, deadlocks or lost connections as {@code
   * max-transient-failures} allows.
   */
  TOO_MANY_TRANSIENT_FAILURES("its handler failed transiently max-transient-failures times"),

  /** The process that handled the message died as often as {@code max-crashes} allows. */
  TOO_MANY_CRASHES("the process that handled it died max-crashes times"),

  /** The handler rejected the message. */
  REJECTED("its handler rejected it"),
  /** An earlier version of the aggregate did not arrive. */
  VERSION_MISSING("an earlier version of its aggregate did not arrive"),
  /** An earlier version of the aggregate has not arrived yet: the message is buffered. */
  EARLY("an earlier version of its aggregate has not arrived yet"),
  /** It had its turn, and could not be sent to its consumer. */
  NOT_RELEASED("it had its turn, and could not be sent to its consumer"),
  /** A person holds it, who did not want it to be retried by itself. */
  HELD("an operator holds it"),
  /**
   * Steps before the handler, such as decrypting the message, failed as often as {@code
   * max-transient-failures} allows.
   */
  HANDLER_NOT_REACHED("it failed max-transient-failures times before its handler could be called"),
  /** The handler is done, and sending its reply failed as often. */
  REPLY_NOT_SENT("it is handled, and its reply could not be sent max-transient-failures times"),
  /** The aggregate is new, and the consumer's quota of aggregates is full. */
  TOO_MANY_AGGREGATES("its aggregate is new, and its consumer's quota.aggregates is full");

  private final String text;

  ParkReason(String text) {
    this.text = text;
  }

  /**
   * Whether the message waits for earlier versions, and is released when they have been handled.
   */
  public boolean isWaiting() {
    return this == VERSION_MISSING || this == EARLY;
  }

  /** The second half of a sentence about the message. */
  public String text() {
    return text;
  }
}
