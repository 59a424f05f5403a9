package io.postbox.it.metered;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Adds a registry to the global one when it is first asked, as an application would at start. */
@ApplicationScoped
public class Publisher {
  private final MeterRegistry registry = new SimpleMeterRegistry();

  /** Adds the registry. */
  public void begin() {
    Metrics.addRegistry(registry);
  }

  /** The registry. */
  public MeterRegistry registry() {
    return registry;
  }

  /** The names of all meters of Postbox. */
  public List<String> names() {
    return registry.getMeters().stream()
        .map(Meter::getId)
        .map(Meter.Id::getName)
        .filter(name -> name.startsWith("postbox."))
        .distinct()
        .toList();
  }

  @PreDestroy
  void end() {
    Metrics.removeRegistry(registry);
  }
}
