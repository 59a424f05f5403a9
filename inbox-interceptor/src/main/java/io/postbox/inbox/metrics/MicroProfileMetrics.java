package io.postbox.inbox.metrics;

import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.telemetry.MicroProfileMeters;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;

/**
 * MicroProfile Metrics. A server without it leaves this bean out; that works because no field or
 * method has a type of that API.
 */
@Dependent
class MicroProfileMetrics implements MetricsBean.Source {
  private final MetricsSource source;

  @Inject
  MicroProfileMetrics(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE)
          Instance<MetricRegistry> registries) {
    source = MicroProfileMeters.source(registries::get);
  }

  @Override
  public MetricsSource get() {
    return source;
  }
}
