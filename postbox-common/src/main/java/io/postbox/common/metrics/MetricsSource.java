package io.postbox.common.metrics;

import io.postbox.common.config.MetricsSystem;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A metrics system that the server or the application may have.
 *
 * @param system its value of {@code postbox.metrics}
 * @param isPresent whether the application can use it
 * @param isRead whether somebody may read what is written there, if it is present; a system that
 *     drops everything is used only if the configuration names it
 * @param meters makes the system; called only if it is present
 */
public record MetricsSource(
    MetricsSystem system,
    BooleanSupplier isPresent,
    BooleanSupplier isRead,
    Supplier<Meters> meters) {

  /** A system that somebody may read wherever it is present. */
  public MetricsSource(MetricsSystem system, BooleanSupplier isPresent, Supplier<Meters> meters) {
    this(system, isPresent, () -> true, meters);
  }
}
