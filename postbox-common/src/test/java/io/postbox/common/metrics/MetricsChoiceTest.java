package io.postbox.common.metrics;

import static io.postbox.common.config.MetricsSystem.AUTO;
import static io.postbox.common.config.MetricsSystem.MICROMETER;
import static io.postbox.common.config.MetricsSystem.MICROPROFILE;
import static io.postbox.common.config.MetricsSystem.NONE;
import static io.postbox.common.config.MetricsSystem.OPENTELEMETRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.MetricsSystem;
import io.postbox.common.testing.FakeMeters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class MetricsChoiceTest {
  private static final Meter METER = Meter.of("outbox", "shop", "relayed", "Messages");

  private final Map<MetricsSystem, FakeMeters> systems = new EnumMap<>(MetricsSystem.class);
  private final List<MetricsSource> sources = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  @Test
  void theServersSystemsComeBeforeTheApplicationsWhateverTheOrderInWhichTheyAreFound() {
    isThere(MICROMETER, true, true);
    assertThat(chosen(AUTO)).containsExactly(MICROMETER);
    isThere(OPENTELEMETRY, true, true);
    assertThat(chosen(AUTO)).containsExactly(OPENTELEMETRY);
    isThere(MICROPROFILE, true, true);
    assertThat(chosen(AUTO)).containsExactly(MICROPROFILE);
  }

  @Test
  void aSystemThatDropsEverythingIsPassedOverUnlessItIsNamed() {
    isThere(OPENTELEMETRY, true, false);
    isThere(MICROMETER, true, true);

    assertThat(chosen(AUTO)).containsExactly(MICROMETER);
    assertThat(chosen(OPENTELEMETRY)).containsExactly(OPENTELEMETRY);
  }

  @Test
  void onlyTheNamedSystemIsChosen() {
    isThere(MICROPROFILE, true, true);
    isThere(MICROMETER, true, true);

    assertThat(chosen(MICROMETER)).containsExactly(MICROMETER);
    assertThat(chosen(NONE)).isEmpty();
    assertThat(missing).isEmpty();
    assertThat(chosen(OPENTELEMETRY)).isEmpty();
    assertThat(missing).containsExactly("opentelemetry");
  }

  @Test
  void withoutAnySystemThereAreNoMetricsAndNothingIsReported() {
    isThere(MICROMETER, false, false);

    assertThat(chosen(AUTO)).isEmpty();
    assertThat(missing).isEmpty();
    assertThat(chosen(MICROMETER)).isEmpty();
    assertThat(missing).containsExactly("micrometer");
  }

  @Test
  void aSystemThatCannotBeMadeIsReportedAndNothingElse() {
    sources.add(
        new MetricsSource(
            MICROPROFILE,
            () -> true,
            () -> {
              throw new NoSuchMethodError("an older version");
            }));

    assertThat(chosen(AUTO)).isEmpty();
    assertThat(failures).hasSize(1).first().isInstanceOf(NoSuchMethodError.class);
  }

  @Test
  void aSystemThatFailsDoesSoQuietlyAndIsReportedOnce() {
    sources.add(new MetricsSource(MICROPROFILE, () -> true, Failing::new));
    Meters quiet = new MetricsChoice(AUTO, missing::add, failures::add).among(sources);
    quiet.counter(METER).add(1);
    quiet.timer(METER).record(Duration.ZERO);
    quiet.gauge(METER, () -> 1);
    quiet.remove(METER);
    quiet.close();

    assertThat(failures).hasSize(1);
  }

  private static final class Failing implements Meters {
    @Override
    public Counter counter(Meter meter) {
      throw new IllegalStateException("full");
    }

    @Override
    public void gauge(Meter meter, DoubleSupplier value) {
      throw new IllegalStateException("full");
    }

    @Override
    public Timer timer(Meter meter) {
      return duration -> {
        throw new NoSuchMethodError("record");
      };
    }

    @Override
    public void remove(Meter meter) {
      throw new IllegalStateException("gone");
    }

    @Override
    public void close() {
      throw new IllegalStateException("gone");
    }
  }

  private void isThere(MetricsSystem system, boolean isPresent, boolean isRead) {
    FakeMeters meters = new FakeMeters();
    systems.put(system, meters);
    sources.add(new MetricsSource(system, () -> isPresent, () -> isRead, () -> meters));
  }

  /** The systems that a counter, a gauge and a timer reach. */
  private List<MetricsSystem> chosen(MetricsSystem wanted) {
    systems.values().forEach(meters -> meters.counts.clear());
    Meters meters = new MetricsChoice(wanted, missing::add, failures::add).among(sources);
    meters.counter(METER).add(2);
    meters.gauge(METER, () -> 1);
    meters.timer(METER).record(Duration.ofSeconds(1));
    meters.remove(METER);
    meters.close();
    return systems.entrySet().stream()
        .filter(each -> each.getValue().counts.containsValue(2L))
        .filter(each -> each.getValue().gauges.containsKey("relayed shop"))
        .filter(each -> each.getValue().times.containsValue(Duration.ofSeconds(1)))
        .map(Map.Entry::getKey)
        .toList();
  }
}
