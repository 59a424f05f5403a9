package io.postbox.common.metrics;

import io.postbox.common.config.MetricsSystem;

/** A metrics system that the server or the application may have. */
public interface MetricsSource {

  /** Its value of {@code postbox.metrics}. */
  MetricsSystem system();

  /** Whether the application can use it. */
  boolean isPresent();

  /**
   * Whether somebody may read what is written there. A system that is present and drops everything
   * is used only if the configuration names it.
   */
  default boolean isRead() {
    return isPresent();
  }

  /** The system. Called only if it is present. */
  Meters meters();
}
