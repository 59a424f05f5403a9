package io.postbox.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;
import org.junit.jupiter.api.Test;

class MicroProfileMetersTest {
  private final List<String> called = new ArrayList<>();
  private final MicroProfileMeters meters = new MicroProfileMeters(registry());

  /** The server adds _total to the names of counters and _seconds to those of timers. */
  @Test
  void theNamesAreThoseOfTheContract() {
    meters.counter(Sample.DROPPED).add(2);
    meters.gauge(Sample.OLDEST, () -> 1.5);
    meters.gauge(Sample.KEPT, () -> 7);
    meters.gauge(Sample.PENDING, () -> 3);
    meters.timer(Sample.RELAY).record(Duration.ofSeconds(4));
    meters.remove(Sample.DROPPED);
    meters.remove(Sample.OLDEST);

    assertThat(called)
        .containsExactly(
            "counter postbox_outbox_events_dropped service=shop destination=a: Events dropped",
            "inc 2",
            "gauge postbox_outbox_oldest_pending_seconds service=shop: Age of the oldest",
            "is 1.5",
            "gauge postbox_inbox_kept_bytes service=shop: Size of what is kept",
            "is 7.0",
            "gauge postbox_outbox_pending service=shop: Messages that wait",
            "is 3.0",
            "timer postbox_outbox_relay service=shop: Time until sent",
            "update PT4S",
            "remove postbox_outbox_events_dropped {destination=a, service=shop}",
            "remove postbox_outbox_oldest_pending_seconds {service=shop}");
  }

  @Test
  void theServerItselfRemovesWhatIsLeft() {
    meters.counter(Sample.DROPPED);
    called.clear();
    meters.close();

    assertThat(called).isEmpty();
  }

  private MetricRegistry registry() {
    return fake(
        MetricRegistry.class,
        (proxy, method, with) -> {
          if (method.getName().equals("remove")) {
            MetricID id = (MetricID) with[0];
            called.add("remove " + id.getName() + " " + id.getTags());
            return true;
          }
          Metadata metadata = (Metadata) with[0];
          StringBuilder line = new StringBuilder(method.getName() + " " + metadata.getName());
          Arrays.stream((Tag[]) with[with.length - 1])
              .forEach(tag -> line.append(" %s=%s".formatted(tag.getTagName(), tag.getTagValue())));
          called.add(line + ": " + metadata.description().orElse(""));
          return switch (method.getName()) {
            case "counter" -> fake(Counter.class, this::note);
            case "timer" -> fake(Timer.class, this::note);
            default -> {
              called.add("is " + ((Supplier<?>) with[1]).get());
              yield null;
            }
          };
        });
  }

  private Object note(Object proxy, java.lang.reflect.Method method, Object[] with) {
    return called.add(method.getName() + " " + with[0]);
  }

  private static <T> T fake(Class<T> type, InvocationHandler answer) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answer));
  }
}
