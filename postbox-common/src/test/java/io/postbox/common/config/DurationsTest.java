package io.postbox.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT0.001S, 1ms",
    "PT0.5S, 500ms",
    "PT1.5S, 1s500ms",
    "PT1S, 1s",
    "PT90S, 90s",
    "PT1M, 1m",
    "PT15M, 15m",
    "PT17M10S, 17m10s",
    "PT24H, 1d",
    "PT25H, 25h",
    "PT876000H, 36500d",
    "PT23H59M59.999S, 23h59m59s999ms",
    "PT1.0009S, 1s",
    "PT0.0001S, PT0.0001S",
    "PT-1S, PT-1S",
  })
  void aDurationIsWrittenAsItIsConfigured(Duration time, String text) {
    assertThat(Durations.text(time)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"PT2562047788015215H30M7.999S"})
  void noDurationIsTooLong(Duration time) {
    assertThat(Durations.text(time)).startsWith("106751991167300d").endsWith("7s999ms");
  }
}
