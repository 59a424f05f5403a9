package io.postbox.outbox.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.config.Backoff;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.testing.Draws;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A whole configuration is read, or all that is wrong with it is said at once. */
class OutboxConfigReaderFuzzTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration CENTURY = Duration.ofDays(36_500);
  private static final List<String> KEYS =
      List.of(
          "service",
          "unknown-keys",
          "metrics",
          "outbox.data-source",
          "outbox.schema",
          "outbox.table-prefix",
          "outbox.create-tables",
          "outbox.connection-factory",
          "outbox.partitions",
          "outbox.max-payload",
          "outbox.max-attempts",
          "outbox.backoff.first",
          "outbox.backoff.max",
          "outbox.on-dead-letter",
          "outbox.after-sending",
          "outbox.delivery",
          "outbox.duplicate-detection",
          "outbox.retention",
          "outbox.archive-partitions",
          "outbox.backlog.warn-count",
          "outbox.backlog.max-count",
          "outbox.backlog.warn-age",
          "outbox.backlog.max-age",
          "outbox.relay.enabled",
          "outbox.relay.workers",
          "outbox.relay.batch-size",
          "outbox.relay.send-timeout",
          "outbox.destination.a.jndi-name",
          "outbox.destination.b.c.jndi-name");

  @FuzzTest
  void aConfigurationIsReadOrAllThatIsWrongIsSaid(byte[] input) {
    Draws draws = new Draws(input);
    Map<String, String> values = new HashMap<>();
    for (int i = draws.below(8); i > 0; i--) {
      String key = KEYS.get(draws.below(KEYS.size()));
      values.put("postbox." + (draws.below(6) == 0 ? draws.changed(key) : key), value(draws));
    }
    try {
      OutboxConfig config = read(values);
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

  private static OutboxConfig read(Map<String, String> values) {
    return OutboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), "shop-app");
  }

  private static boolean isNamed(Map.Entry<String, String> setting, String message) {
    return message.contains(setting.getKey() + "=" + setting.getValue().strip() + ": expected ")
        || message.contains(setting.getKey() + ": there is no such key");
  }

  /** For some of the keys: none is passed over in silence. */
  private static void isInEffect(Map<String, String> values, OutboxConfig config) {
    isInEffect(values, "outbox.data-source", config.dataSource());
    isInEffect(values, "outbox.max-attempts", config.maxAttempts());
    isInEffect(values, "outbox.relay.workers", config.relay().workers());
    isInEffect(values, "outbox.destination.a.jndi-name", config.destinations().jndiName("a"));
    isInEffect(values, "outbox.destination.b.c.jndi-name", config.destinations().jndiName("b.c"));
  }

  private static void isInEffect(Map<String, String> values, String key, Object found) {
    String value = values.get("postbox." + key);
    if (value != null) {
      assertThat(String.valueOf(found)).isEqualTo(value.strip());
    }
  }

  private static void isSound(OutboxConfig config) {
    assertThat(config.service()).isNotBlank().hasSizeLessThanOrEqualTo(100);
    assertThat(config.dataSource()).isNotBlank();
    assertThat(config.connectionFactory()).isNotBlank();
    assertThat(config.tables().qualified("t")).matches("(\\w{1,30}\\.)?\\w{0,30}t");
    assertThat(config.partitions()).isBetween(1, 1_024);
    assertThat(config.maxPayload()).isBetween(1, 100 << 20);
    assertThat(config.maxAttempts()).isBetween(1, 1_000_000);
    Backoff backoff = config.backoff();
    assertThat(backoff.first()).isBetween(Duration.ofMillis(1), DAY);
    assertThat(backoff.max()).isBetween(backoff.first(), DAY);
    for (int attempt : new int[] {1, 2, 63, 1_000_000}) {
      assertThat(backoff.ceiling(attempt)).isBetween(backoff.first().minusMillis(1), backoff.max());
      assertThat(backoff.after(attempt, 0.999)).isBetween(Duration.ZERO, backoff.max());
    }
    assertThat(config.retention().age()).isBetween(Duration.ofSeconds(1), CENTURY);
    assertThat(config.backlog().warnCount()).isBetween(1L, config.backlog().maxCount());
    assertThat(config.backlog().warnAge())
        .isBetween(Duration.ofSeconds(1), config.backlog().maxAge());
    assertThat(config.relay().workers()).isBetween(1, 64);
    assertThat(config.relay().batchSize()).isBetween(1, 10_000);
    assertThat(config.relay().sendTimeout())
        .isBetween(Duration.ofMillis(100), Duration.ofMinutes(10));
    assertThat(config.destinations().jndiNames().values()).noneMatch(String::isBlank);
  }

  private static String value(Draws draws) {
    return draws.oneOf(
        draws.number() + draws.oneOf("", "ms", "s", "m", "h", "d"),
        draws.below(90) + draws.oneOf("", "ms", "s", "m", "h", "d"),
        Duration.ofSeconds(draws.number() >> 8, draws.below(2_000)).toString(),
        draws.oneOf("true", "hold", "report", "ARCHIVE", "xa", "daily", "artemis", "none"),
        draws.about(draws.oneOf(30, 100)),
        draws.text(6));
  }
}
