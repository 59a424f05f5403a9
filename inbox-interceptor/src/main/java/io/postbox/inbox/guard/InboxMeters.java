package io.postbox.inbox.guard;

/** Counts how deliveries ended. Called from any thread; neither blocks nor throws. */
public interface InboxMeters {

  /** One delivery to a consumer ended. */
  void count(String consumer, Outcome outcome);

  /** How a delivery ended. */
  enum Outcome {
    /** Handled and committed. */
    PROCESSED,
    /** Recognised as a duplicate and acknowledged. */
    SKIPPED,
    /** Kept aside and acknowledged. */
    QUARANTINED,
    /** Rolled back, whatever the reason: it comes again. */
    FAILED
  }
}
