package io.postbox.inbox.metrics;

/** Receives what requests came to. Called from any thread; neither blocks nor throws. */
public interface RequestListener {

  /** A request for an idempotent method has its response. */
  void answered(String consumer, RequestOutcome outcome);
}
