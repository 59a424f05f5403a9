package io.postbox.common.config;

import java.util.Locale;

/** Where metrics go: the values of {@code postbox.metrics}. */
public enum MetricsSystem {
  /** To the first of the next three that the server or the application has. */
  AUTO,
  /** To MicroProfile Metrics. */
  MICROPROFILE,
  /** To OpenTelemetry, as MicroProfile Telemetry provides it. */
  OPENTELEMETRY,
  /** To Micrometer's global registry. */
  MICROMETER,
  /** Nowhere. */
  NONE;

  /** The value as it is written. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
