package io.postbox.common.platform;

import java.util.Collection;
import java.util.List;

/** The endpoints that deliver to this application's guarded beans. Thread-safe. */
public interface Endpoints {
  /** Those of a server that lets nobody pause them. */
  Endpoints NONE =
      new Endpoints() {
        @Override
        public Collection<String> running() {
          return List.of();
        }

        @Override
        public void pause(String id) {
          // there is none
        }

        @Override
        public void resume(String id) {
          // there is none
        }
      };

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
   *
   * @throws IllegalStateException if the server fails to do it
   */
  void pause(String id);

  /**
   * Resumes an endpoint. Does nothing if it no longer exists.
   *
   * @throws IllegalStateException if the server fails to do it
   */
  void resume(String id);
}
