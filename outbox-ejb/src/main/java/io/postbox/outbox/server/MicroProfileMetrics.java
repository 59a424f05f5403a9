package io.postbox.outbox.server;

import io.postbox.common.config.MetricsSystem;
import io.postbox.common.metrics.Meters;
import io.postbox.common.telemetry.MicroProfileMeters;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;

/**
 * MicroProfile Metrics. A server without it leaves this bean out; that works because no field or
 * method has a type of that API.
 */
@Dependent
class MicroProfileMetrics implements MetricsBean.Source {
  private final Supplier<Meters> meters;

  @Inject
  MicroProfileMetrics(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE)
          Instance<MetricRegistry> registries) {
    meters = () -> new MicroProfileMeters(registries.get());
  }

  @Override
  public MetricsSystem system() {
    return MetricsSystem.MICROPROFILE;
  }

  @Override
  public boolean isPresent() {
    return true;
  }

  @Override
  public Meters meters() {
    return meters.get();
  }
}
