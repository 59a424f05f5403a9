package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.Destinations;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HealthDataTest {
  private static final Destinations DESTINATIONS =
      new Destinations(
          Set.of(), Map.of("shipping", "jms/ship"), Map.of("TO_BILLING", "jms/billing"));

  @Test
  void onlyConfiguredNamesAreShownAndOthersAreCounted() {
    Map<String, String> data =
        data(
            Map.of(3, Instant.EPOCH),
            List.of("shipping", "to-billing", "customer-4711", "<script>"),
            List.of("*", "shipping", "ada"));

    assertThat(data)
        .containsOnlyKeys(
            "stuck: partition 3",
            "waiting: shipping",
            "waiting: to-billing",
            "waiting, without a configured name",
            "paused: *",
            "paused: shipping",
            "paused, without a configured name")
        .containsEntry("waiting, without a configured name", "2")
        .containsEntry("paused, without a configured name", "1");
    assertThat(data.get("waiting: shipping"))
        .isEqualTo("it cannot be reached; the log says why (OBX0004)");
    assertThat(data.get("stuck: partition 3")).contains("1970-01-01T00:00:00Z", "OBX0016");
  }

  @Test
  void listedNamesAreConfiguredOnes() {
    Destinations listed = new Destinations(Set.of("shipping"), Map.of(), Map.of());
    assertThat(listed.isConfigured("shipping")).isTrue();
    assertThat(listed.isConfigured("billing")).isFalse();
    assertThat(Destinations.ANY.isConfigured("shipping")).isFalse();
  }

  @Test
  void whereAllIsWellNothingIsReported() {
    assertThat(data(Map.of(), List.of(), List.of())).isEmpty();
  }

  @Test
  void otherEntriesAreFixedButForNumbers() {
    assertThat(
            new HealthData(
                    DESTINATIONS,
                    Map.of(),
                    List.of(),
                    List.of(),
                    List.of("shipping", "shiping"),
                    List.of("shipping"),
                    true,
                    Optional.of("5 messages wait"),
                    Optional.of("9 messages wait"),
                    true,
                    List.of("xa", "pool"))
                .data())
        .containsOnlyKeys(
            "redirected: shipping",
            "redirected, without a configured name",
            "estimated: shipping",
            "backlog",
            "count",
            "enqueue refuses",
            "slot",
            "findings")
        .containsEntry("findings", "xa, pool")
        .extractingByKey("count")
        .asString()
        .startsWith(
            "the table cannot be counted, so gauges keep their last values, and the backlog's"
                + " limits");
  }

  private static Map<String, String> data(
      Map<Integer, Instant> stuck, List<String> waiting, List<String> paused) {
    return new HealthData(
            DESTINATIONS,
            stuck,
            waiting,
            paused,
            List.of(),
            List.of(),
            false,
            Optional.empty(),
            Optional.empty(),
            false,
            List.of())
        .data();
  }
}
