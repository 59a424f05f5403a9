package io.postbox.outbox.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutboxConfigKeysTest {
  private static OutboxConfig read(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return OutboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), "shop");
  }

  @ParameterizedTest
  @CsvSource({
    "max-attemps, max-attempts",
    "maxattempts, max-attempts",
    "relay.worker, relay.workers",
    "backoff.frist, backoff.first",
    "datasource, data-source",
    "destination.shipping.jndiname, destination.<name>.jndi-name",
  })
  void anUnknownKeyIsRefusedWithTheNearestKnownOne(String wrong, String right) {
    assertThatThrownBy(() -> read("postbox.outbox." + wrong, "1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "postbox.outbox.%s: there is no such key (did you mean postbox.outbox.%s?)"
                .formatted(wrong, right));
  }

  @Test
  void aKeyThatIsNearNothingIsRefusedWithoutASuggestion() {
    assertThatThrownBy(() -> read("postbox.outbox.zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", "1"))
        .hasMessageContaining("there is no such key. Change it");
  }

  @Test
  void aDestinationNeedsAName() {
    assertThatThrownBy(() -> read("postbox.outbox.destination..jndi-name", "jms/x"))
        .hasMessageContaining("postbox.outbox.destination..jndi-name: there is no such key");
  }

  @Test
  void unknownKeysCanBeReportedOnly() {
    OutboxConfig config = read("postbox.unknown-keys", "report", "postbox.outbox.max-attemps", "3");

    assertThat(config.maxAttempts()).isEqualTo(10);
    assertThat(config.unknownKeys())
        .containsExactly(
            "postbox.outbox.max-attemps: there is no such key (did you mean"
                + " postbox.outbox.max-attempts?)");
    assertThatThrownBy(
            () -> read("postbox.unknown-keys", "report", "postbox.outbox.partitions", "0"))
        .as("a wrong value is refused all the same")
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void keysOfOthersAreNoneOfItsBusiness() {
    read("postbox.inbox.data-source", "jdbc/x", "postbox.outboxes", "1", "other.key", "1");
  }

  @Test
  void aValueIsFoundUnderAnotherFormOfItsName() {
    // an environment variable is listed as POSTBOX_OUTBOX_MAX_ATTEMPTS and found by the key
    Map<String, String> found = Map.of("postbox.outbox.max-attempts", "3");
    OutboxConfig config =
        OutboxConfigReader.read(
            Set.of("POSTBOX_OUTBOX_MAX_ATTEMPTS"),
            key -> Optional.ofNullable(found.get(key)),
            "shop");
    assertThat(config.maxAttempts()).isEqualTo(3);
  }

  @Test
  void aNameWithoutAValueIsAsIfAbsent() {
    OutboxConfig config =
        OutboxConfigReader.read(
            Set.of("postbox.outbox.max-attempts", "postbox.outbox.destination.x.jndi-name"),
            key -> Optional.empty(),
            "shop");
    assertThat(config.maxAttempts()).isEqualTo(10);
    assertThat(config.destinations()).isEmpty();
  }
}
