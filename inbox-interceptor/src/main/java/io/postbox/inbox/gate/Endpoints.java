package io.postbox.inbox.gate;

import java.util.Collection;

/** The endpoints that deliver to this application's guarded beans. Thread-safe. */
public interface Endpoints {

  /** The ids of the endpoints that are not paused. */
  Collection<String> running();

  /**
   * Whether a pause would have to wait for a running handler, and other endpoints with it. Pause
   * the endpoint when its handlers have ended.
   */
  default boolean isBusy(String id) {
    return false;
  }

  /**
   * Pauses an endpoint; may wait until its deliveries have ended, so no delivery may wait for this
   * call.
   */
  void pause(String id);

  /** Resumes an endpoint. Does nothing if it no longer exists. */
  void resume(String id);
}
