package io.postbox.inbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.ops.KeptCounts;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;
import org.junit.jupiter.api.Test;

class MetricTimersTest {
  private final Map<String, Duration> times = new TreeMap<>();
  private final Map<String, Supplier<?>> gauges = new TreeMap<>();
  private int lookedUp;

  @Test
  void allOfAConsumerAreThereFromTheStartAndTheRegistryIsAskedOnceForEach() {
    MetricTimers timers = new MetricTimers(registry(), "shop", Set.of("shipping"));
    assertThat(times).containsOnlyKeys("handler shop shipping", "age shop shipping");
    int atStart = lookedUp;
    for (int message = 0; message < 100; message++) {
      timers.handlerEnded("shipping", Duration.ofSeconds(2), Duration.ofSeconds(9));
      timers.handlerEnded("shipping", Duration.ofSeconds(1), null);
    }

    assertThat(lookedUp).isEqualTo(atStart);
    assertThat(times)
        .containsEntry("handler shop shipping", Duration.ofSeconds(300))
        .containsEntry("age shop shipping", Duration.ofSeconds(900));
    timers.handlerEnded("brought without JMS", Duration.ofSeconds(1), null);
    assertThat(times).containsEntry("handler shop brought without JMS", Duration.ofSeconds(1));
  }

  @Test
  void whatIsQuarantinedHasAGaugeAsWhatIsParkedHas() {
    MetricGauges all =
        new MetricGauges(
            registry(), "shop", Set.of("shipping"), consumer -> "old".equals(consumer));
    assertThat(gauges)
        .containsOnlyKeys(
            "parked shop shipping",
            "quarantined_messages shop shipping",
            "kept_bytes shop shipping",
            "quota_full shop shipping");
    KeptCounts last =
        new KeptCounts(Map.of("shipping", 2L), Map.of("old", 3L), Map.of("shipping", 5L));
    all.counted(last);
    int atFirst = lookedUp;
    all.counted(last);

    assertThat(lookedUp).isEqualTo(atFirst);
    assertThat(gauges.get("parked shop shipping").get()).isEqualTo(2L);
    assertThat(gauges.get("quarantined_messages shop shipping").get()).isEqualTo(0L);
    assertThat(gauges.get("quarantined_messages shop old").get()).isEqualTo(3L);
    assertThat(gauges.get("kept_bytes shop shipping").get()).isEqualTo(5L);
    assertThat(gauges.get("quota_full shop shipping").get()).isEqualTo(0);
    assertThat(gauges.get("quota_full shop old").get()).isEqualTo(1);
  }

  private MetricRegistry registry() {
    return fake(
        MetricRegistry.class,
        (proxy, method, arguments) -> {
          lookedUp++;
          String name =
              ((Metadata) arguments[0]).getName().replace("postbox_inbox_", "")
                  + " "
                  + Arrays.stream((Tag[]) arguments[arguments.length - 1])
                      .map(Tag::getTagValue)
                      .collect(Collectors.joining(" "));
          if (method.getName().equals("gauge")) {
            gauges.put(name, (Supplier<?>) arguments[1]);
            return null;
          }
          times.put(name, Duration.ZERO);
          return fake(
              Timer.class,
              (timer, called, with) -> times.merge(name, (Duration) with[0], Duration::plus));
        });
  }

  private static <T> T fake(Class<T> type, InvocationHandler answer) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answer));
  }
}
