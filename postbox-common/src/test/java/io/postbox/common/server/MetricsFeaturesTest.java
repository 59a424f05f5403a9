package io.postbox.common.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.MetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetricsFeaturesTest {
  private static final ClassLoader NOTHING = ClassLoader.getPlatformClassLoader();

  @ParameterizedTest
  @EnumSource
  void aPresentSystemIsAccepted(MetricsSystem system) {
    assertThatCode(() -> MetricsFeatures.require(system, getClass().getClassLoader()))
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
    assertThatThrownBy(() -> MetricsFeatures.require(system, NOTHING))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("postbox.metrics=" + value)
        .hasMessageContaining(remedy);
  }

  @Test
  void withoutAChoiceNothingIsRequired() {
    MetricsFeatures.require(MetricsSystem.AUTO, NOTHING);
    MetricsFeatures.require(MetricsSystem.NONE, NOTHING);
  }
}
