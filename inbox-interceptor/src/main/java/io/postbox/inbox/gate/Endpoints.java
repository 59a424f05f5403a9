package io.postbox.inbox.gate;

import java.util.Collection;
import java.util.List;

/** The endpoints that deliver to this application's guarded beans. Thread-safe. */
public interface Endpoints {

  /** A server without a way to stop deliveries: they wait and are redelivered. */
  Endpoints NONE =
      new Endpoints() {
        @Override
        public Collection<String> running() {
          return List.of();
        }

        @Override
        public void pause(String id) {}

        @Override
        public void resume(String id) {}
      };

  /** The ids of the endpoints that are not paused. */
  Collection<String> running();

  /**
   * Whether its pause would have to wait for a handler at work, for however long that takes, and
   * others would have to wait with it. It is to be paused when that is over.
   */
  default boolean isBusy(String id) {
    return false;
  }

  /** Stops an endpoint; may wait until its deliveries are over, so no delivery may wait for it. */
  void pause(String id);

  /** Resumes an endpoint. Does nothing if it no longer exists. */
  void resume(String id);
}
