package io.postbox.common.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.log.ExceptionDetail;
import io.postbox.common.log.ModuleLog;
import io.postbox.common.log.SharedLog;
import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.telemetry.MicroProfileMeters;
import io.postbox.common.telemetry.OpenTelemetryMeters;
import jakarta.enterprise.inject.Instance;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServerTelemetryTest {
  private static final ClassLoader NOTHING = ClassLoader.getPlatformClassLoader();

  private final Map<Class<?>, Object> provided = new HashMap<>();
  private final ServerTelemetry telemetry =
      new ServerTelemetry(
          beans(Object.class),
          new SharedLog(
              "outbox",
              new ModuleLog("io.postbox.test", new ExceptionDetail()),
              new ExceptionDetail()));

  @ParameterizedTest
  @EnumSource
  void aPresentSystemIsAccepted(MetricsSystem system) {
    assertThatCode(() -> ServerTelemetry.require(system, getClass().getClassLoader()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "MICROPROFILE, microprofile, enable what Open Liberty calls mpMetrics-5.1",
    "OPENTELEMETRY, opentelemetry, enable what Open Liberty calls mpTelemetry-2.1",
    "MICROMETER, micrometer, io.micrometer:micrometer-core"
  })
  void aMissingSystemIsRefusedWithTheKeyAndTheWayOut(
      MetricsSystem system, String value, String remedy) {
    assertThatThrownBy(() -> ServerTelemetry.require(system, NOTHING))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("postbox.metrics=" + value)
        .hasMessageContaining(remedy);
  }

  @Test
  void withoutAChoiceNothingIsRequired() {
    ServerTelemetry.require(MetricsSystem.AUTO, NOTHING);
    ServerTelemetry.require(MetricsSystem.NONE, NOTHING);
  }

  @Test
  void aSystemIsThereIfTheClassLoaderHasItsApiAndTheServerProvidesIt() {
    assertThat(present(getClass().getClassLoader()))
        .containsExactly(MetricsSystem.MICROPROFILE, MetricsSystem.MICROMETER);
    provided.put(OpenTelemetry.class, OpenTelemetry.noop());
    assertThat(present(getClass().getClassLoader()))
        .containsExactly(
            MetricsSystem.MICROPROFILE, MetricsSystem.OPENTELEMETRY, MetricsSystem.MICROMETER);
    assertThat(present(NOTHING)).isEmpty();
  }

  @Test
  void theOneOfTheServerIsUsedThatTheServerProvides() {
    provided.put(OpenTelemetry.class, OpenTelemetry.noop());
    assertThat(source(MetricsSystem.OPENTELEMETRY).isRead().getAsBoolean())
        .as("it exports nothing")
        .isFalse();
    assertThat(source(MetricsSystem.OPENTELEMETRY).meters().get())
        .isInstanceOf(OpenTelemetryMeters.class);
    MetricRegistry registry = fake(MetricRegistry.class, (proxy, method, with) -> null);
    provided.put(MetricRegistry.class, registry);
    assertThat(source(MetricsSystem.MICROPROFILE).meters().get())
        .isEqualTo(new MicroProfileMeters(registry));
  }

  @Test
  void micrometersSourceIsTheGlobalRegistry() {
    MetricsSource source = source(MetricsSystem.MICROMETER);
    assertThat(source.isRead().getAsBoolean()).isTrue();
    MeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    try {
      assertThat(countedBy(source, registry)).isEqualTo(1);
    } finally {
      Metrics.globalRegistry.clear();
      Metrics.removeRegistry(registry);
    }
  }

  @Test
  void orTheOneThatTheServerGivesApplications() {
    MeterRegistry registry = new SimpleMeterRegistry();
    provided.put(MeterRegistry.class, registry);

    assertThat(countedBy(source(MetricsSystem.MICROMETER), registry)).isEqualTo(1);
    assertThat(Metrics.globalRegistry.getMeters()).isEmpty();
  }

  private static double countedBy(MetricsSource source, MeterRegistry registry) {
    source.meters().get().counter(Meter.of("outbox", "shop", "events_dropped", "")).add(1);
    return registry.get("postbox.outbox.events.dropped").counter().count();
  }

  private List<MetricsSystem> present(ClassLoader loader) {
    return telemetry.sources(loader).stream()
        .filter(source -> source.isPresent().getAsBoolean())
        .map(MetricsSource::system)
        .toList();
  }

  private MetricsSource source(MetricsSystem system) {
    return telemetry.sources(getClass().getClassLoader()).stream()
        .filter(source -> source.system() == system)
        .findFirst()
        .orElseThrow();
  }

  /** The container's beans of a type, and those of one of its subtypes. */
  private Instance<Object> beans(Class<?> type) {
    return fake(
        Instance.class,
        (proxy, method, with) ->
            switch (method.getName()) {
              case "select" -> beans((Class<?>) with[0]);
              case "isResolvable" -> provided.containsKey(type);
              case "get" -> provided.get(type);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  @SuppressWarnings("unchecked")
  private static <T> T fake(Class<?> type, InvocationHandler answers) {
    return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers);
  }
}
