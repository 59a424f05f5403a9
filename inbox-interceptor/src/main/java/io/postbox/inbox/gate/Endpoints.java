package io.postbox.inbox.gate;

import java.util.Collection;
import java.util.List;

/** What brings this application's guarded deliveries. Thread-safe. */
public interface Endpoints {

  /** A server that offers no way to stop deliveries: they wait, and go back. */
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

  /** The ids of those that nobody has paused. */
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

  /** Starts an endpoint again. Does nothing if it is not there any more. */
  void resume(String id);
}
