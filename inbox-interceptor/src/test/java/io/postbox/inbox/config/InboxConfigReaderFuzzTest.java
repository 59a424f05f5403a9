package io.postbox.inbox.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.testing.Draws;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A whole configuration is read, or all that is wrong with it is said at once. */
class InboxConfigReaderFuzzTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final List<String> KEYS =
      List.of(
          "service",
          "unknown-keys",
          "metrics",
          "inbox.data-source",
          "inbox.schema",
          "inbox.table-prefix",
          "inbox.create-tables",
          "inbox.connection-factory",
          "inbox.on-mismatch",
          "inbox.outage-wait",
          "inbox.stop-grace",
          "inbox.table-partitioning",
          "inbox.max-attempts",
          "inbox.backoff.first",
          "inbox.backoff.max",
          "inbox.retention");
  private static final List<String> OF_CONSUMERS =
      List.of(
          "max-attempts",
          "backoff.first",
          "backoff.max",
          "retention",
          "connection-factory",
          "retry-destination",
          "order",
          "order.first-version",
          "early.limit");

  @FuzzTest
  void aConfigurationIsReadOrAllThatIsWrongIsSaid(byte[] input) {
    Draws draws = new Draws(input);
    Map<String, String> values = new HashMap<>();
    for (int i = draws.below(8); i > 0; i--) {
      values.put("postbox." + key(draws), value(draws));
    }
    try {
      InboxConfig config = read(values);
      isSound(config);
      isInEffect(values, config);
    } catch (ConfigurationException refused) {
      Map<String, String> rest = new HashMap<>(values);
      rest.entrySet().removeIf(it -> isNamed(it, refused.getMessage()));
      assertThat(rest).as(refused.getMessage()).hasSizeLessThan(values.size());
      isSound(read(rest));
    }
  }

  @Test
  void alsoTheSameConfigurationsEachTime() {
    Draws.check(4_000, this::aConfigurationIsReadOrAllThatIsWrongIsSaid);
  }

  private static InboxConfig read(Map<String, String> values) {
    return InboxConfigReader.read(
        values.keySet(),
        key -> Optional.ofNullable(values.get(key)),
        "shop-app",
        TestConfig.ANYBODY);
  }

  private static boolean isNamed(Map.Entry<String, String> setting, String message) {
    return message.contains(setting.getKey() + "=" + setting.getValue().strip() + ": expected ")
        || message.contains(setting.getKey() + "=" + setting.getValue().strip() + " has no effect")
        || message.contains(setting.getKey() + ": there is no such key");
  }

  /** For some of the keys: none is passed over in silence. */
  private static void isInEffect(Map<String, String> values, InboxConfig config) {
    isInEffect(values, "inbox.data-source", config.dataSource());
    isInEffect(values, "inbox.max-attempts", config.of("other").maxAttempts());
    isInEffect(values, "inbox.consumer.a.max-attempts", config.of("a").maxAttempts());
    isInEffect(values, "inbox.consumer.b.c.max-attempts", config.of("b.c").maxAttempts());
    isInEffect(
        values, "inbox.consumer.a.retry-destination", config.of("a").retryDestination().orElse(""));
  }

  private static void isInEffect(Map<String, String> values, String key, Object found) {
    String value = values.get("postbox." + key);
    if (value != null) {
      assertThat(String.valueOf(found)).isEqualTo(value.strip());
    }
  }

  private static void isSound(InboxConfig config) {
    assertThat(config.service()).isNotBlank().hasSizeLessThanOrEqualTo(100);
    assertThat(config.dataSource()).isNotBlank();
    assertThat(config.connectionFactory()).isNotBlank();
    assertThat(config.tables().qualified("t")).matches("(\\w{1,30}\\.)?\\w{0,30}t");
    assertThat(config.outageWait()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
    assertThat(config.stopGrace()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
    for (String consumer : new String[] {"a", "b.c", "other"}) {
      isSound(config.of(consumer));
    }
  }

  private static void isSound(ConsumerConfig config) {
    assertThat(config.maxAttempts()).isBetween(1, 1_000_000);
    assertThat(config.backoff().first()).isBetween(Duration.ofMillis(1), DAY);
    assertThat(config.backoff().max()).isBetween(config.backoff().first(), DAY);
    for (int attempt : new int[] {1, 2, 63, 1_000_000}) {
      assertThat(config.backoff().ceiling(attempt))
          .isBetween(config.backoff().first().minusMillis(1), config.backoff().max());
      assertThat(config.backoff().after(attempt, 0.999)).isBetween(Duration.ZERO, DAY);
    }
    assertThat(config.retention()).isBetween(Duration.ofSeconds(1), Duration.ofDays(36_500));
    config.retryDestination().ifPresent(it -> assertThat(it).isNotBlank());
    config
        .order()
        .ifPresent(
            it -> {
              assertThat(it.firstVersion().orElse(0)).isNotNegative();
              assertThat(it.limit()).isPositive();
              assertThat(it.bytes()).isBetween(1L, 1L << 50);
            });
  }

  private static String key(Draws draws) {
    String ofConsumer =
        "inbox.consumer."
            + draws.oneOf("a", "b.c", draws.text(3))
            + "."
            + OF_CONSUMERS.get(draws.below(OF_CONSUMERS.size()));
    String key = draws.flag() ? ofConsumer : KEYS.get(draws.below(KEYS.size()));
    return draws.below(6) == 0 ? draws.changed(key) : key;
  }

  private static String value(Draws draws) {
    return draws.oneOf(
        draws.number() + draws.oneOf("", "ms", "s", "m", "h", "d"),
        draws.below(90) + draws.oneOf("", "ms", "s", "m", "h", "d"),
        Duration.ofSeconds(draws.number() >> 8, draws.below(2_000)).toString(),
        draws.oneOf("true", "VERSION", "report", "reject", "daily", "none"),
        draws.about(draws.oneOf(30, 100)),
        draws.text(6));
  }
}
