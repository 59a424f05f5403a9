package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.Snapshot;
import io.postbox.outbox.testing.Messages;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DestinationMetersTest {
  private final Set<String> series = new TreeSet<>();
  private final Set<String> descriptions = new TreeSet<>();
  private final Map<String, Long> counted = new HashMap<>();
  private int lookedUp;

  @Test
  void aDestinationThatIsListedHasItsSeriesFromTheStart() {
    meters(new Destinations(Set.of("shipping"), Map.of(), Map.of()));

    assertThat(series).containsExactly("shipping");
  }

  @Test
  void aDestinationThatIsNotListedMakesNoSeries() {
    DestinationMeters meters = meters(new Destinations(Set.of("shipping"), Map.of(), Map.of()));
    meters.attemptFailed(message("shiping"), 1, "why");
    meters.sent(message("shiping"));
    meters.enqueued("shiping", 1);

    assertThat(series).containsExactly("shipping");
  }

  @Test
  void whatIsEnqueuedIsCountedAndTheRegistryIsAskedOnceForEachMetric() {
    DestinationMeters meters = meters(Destinations.ANY);
    meters.enqueued("shipping", 2);
    int asked = lookedUp;
    for (int message = 0; message < 100; message++) {
      meters.enqueued("shipping", 3);
      meters.sent(message("shipping"));
    }

    assertThat(counted).containsEntry("postbox_outbox_enqueued", 302L);
    assertThat(counted).containsEntry("postbox_outbox_relayed", 100L);
    assertThat(lookedUp).isEqualTo(asked);
  }

  /** Next to a hundred others in a dashboard, none has a heading that explains it. */
  @Test
  void eachDescriptionStandsAlone() {
    meters(new Destinations(Set.of("shipping"), Map.of(), Map.of()));

    assertThat(descriptions).hasSizeGreaterThan(15).allMatch(each -> each.length() > 40);
    assertThat(descriptions)
        .allMatch(each -> each.contains("outbox") || each.contains("this destination"));
  }

  @Test
  void withoutAListAnyDestinationHasItsSeriesWhenItIsHeardOf() {
    DestinationMeters meters = meters(Destinations.ANY);
    assertThat(series).isEmpty();
    meters.attemptFailed(message("shiping"), 1, "why");

    assertThat(series).containsExactly("shiping");
  }

  private DestinationMeters meters(Destinations destinations) {
    return new DestinationMeters(registry(), "shop", destinations, new NothingToShow());
  }

  private static StoredMessage message(String destination) {
    Envelope envelope =
        Messages.envelope(Messages.id(1), destination, null, new Body.Text("x"), "{}", null);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  /** Notes for which destinations there are series. */
  private MetricRegistry registry() {
    return fake(
        MetricRegistry.class,
        (method, arguments) -> {
          lookedUp++;
          Metadata metadata = (Metadata) arguments[0];
          descriptions.add(metadata.description().orElse(""));
          if (arguments[arguments.length - 1] instanceof Tag[] tags) {
            Arrays.stream(tags)
                .filter(tag -> tag.getTagName().equals("destination"))
                .forEach(tag -> series.add(tag.getTagValue()));
          }
          return switch (method) {
            case "counter" ->
                fake(
                    Counter.class,
                    (called, by) -> called.equals("inc") ? count(metadata.getName(), by) : null);
            case "timer" -> fake(Timer.class, (any, none) -> null);
            default -> null;
          };
        });
  }

  private @Nullable Object count(String name, Object @Nullable [] by) {
    counted.merge(name, by == null ? 1L : (Long) by[0], Long::sum);
    return null;
  }

  private interface Answer {
    @Nullable Object to(String method, Object @Nullable [] arguments);
  }

  private static <T> T fake(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
  }

  private static final class NothingToShow implements Watched {
    @Override
    public Snapshot last() {
      return Snapshot.NOTHING;
    }

    @Override
    public boolean isBreakerOpen(String destination) {
      return false;
    }

    @Override
    public int stuckPartitions() {
      return 0;
    }

    @Override
    public boolean isBacklogHigh() {
      return false;
    }

    @Override
    public boolean isBacklogFull() {
      return false;
    }

    @Override
    public long refusals() {
      return 0;
    }

    @Override
    public long eventsDropped() {
      return 0;
    }

    @Override
    public int findings() {
      return 0;
    }
  }
}
