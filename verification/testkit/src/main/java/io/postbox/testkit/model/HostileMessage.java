package io.postbox.testkit.model;

import java.util.List;

/** A message that nobody who means well would send, to the queue in which orders come. */
public enum HostileMessage {
  WITHOUT_AN_ID("MISSING_ID", false),
  WITH_A_MALFORMED_ID("MALFORMED_ID", false),
  /** Under the id of an order's message that was handled. */
  WITH_ANOTHER_BODY(HostileMessage.OTHER_CONTENT, true),
  /** In the body, where JSON should be. */
  WITH_CONTROL_CHARACTERS("REJECTED", true),
  /**
   * With half a surrogate pair in the body, for which Liberty's engine has a question mark after
   * its restart. A second delivery then is another message under the same id.
   */
  WITH_HALF_A_CHARACTER("REJECTED", false),
  /** Megabytes that are no order. */
  HUGE("REJECTED", true),
  /** One at which the server dies while it handles it, each time. */
  DEADLY("TOO_MANY_CRASHES", true),

  /** Says that it is for another consumer only, without a proof. */
  FORGED_RECIPIENT(HostileMessage.HANDLED, true),
  /** Has all of the inbox's own properties, and a proof that was made without the key. */
  FORGED_PROOF(HostileMessage.HANDLED, true),
  /** Says that it has failed a million times. It is no order, and that is what it is kept for. */
  FORGED_ATTEMPTS("REJECTED", true),
  /** More bytes than the consumer takes. */
  OVERSIZED("BODY_TOO_LARGE", true),
  /** An object of a class that the application does not have. */
  OBJECT("REJECTED", true),
  OBJECT_WITHOUT_AN_ID("MISSING_ID", false),
  /** Wants its answer in a queue that is not listed. */
  WITH_A_REPLY_ELSEWHERE(HostileMessage.HANDLED, true),
  /** Comes twice; the second time it wants the answer in that queue. */
  FETCHING_AN_ANSWER(HostileMessage.HANDLED, true),
  /** One of many that fill the tables as fast as they can. */
  FLOOD("MISSING_ID", false);

  /** The message property by which a message is found again, whatever became of it. */
  public static final String TAG = "Tag";

  /** Where messages are forwarded of which the body cannot be kept. */
  public static final String DEAD_QUEUE = "DEAD";

  private static final String HANDLED = "";
  private static final String OTHER_CONTENT = "OTHER_CONTENT";

  /** For which it has to be kept aside; empty if it has to be handled. */
  private final String reason;

  private final boolean canBeKnown;

  HostileMessage(String reason, boolean canBeKnown) {
    this.reason = reason;
    this.canBeKnown = canBeKnown;
  }

  /** Whether it is a message like any other once nobody believes what it says of itself. */
  public boolean isToBeHandled() {
    return reason.equals(HANDLED);
  }

  /**
   * Whether it is right that it was kept aside for these reasons, once for each. A second delivery,
   * after a crash, is known for one by its id, unless it is another message then.
   */
  boolean isRightlyKeptFor(List<String> reasons) {
    return (reasons.size() <= 1 || !canBeKnown)
        && reasons.stream()
            .allMatch(
                it ->
                    it.equals(reason)
                        || (this == WITH_HALF_A_CHARACTER
                            && it.equals(OTHER_CONTENT)
                            && reasons.contains(reason)));
  }

  /** Whether it is kept without its body, and forwarded. */
  boolean isForwarded() {
    return this == OVERSIZED || this == OBJECT || this == OBJECT_WITHOUT_AN_ID;
  }
}
