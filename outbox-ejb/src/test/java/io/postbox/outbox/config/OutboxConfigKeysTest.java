package io.postbox.outbox.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    read(
        "postbox.inbox.data-source",
        "jdbc/x",
        "postbox.letterbox",
        "1",
        "postbox.data",
        "1",
        "other.key",
        "1");
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
    assertThat(config.destinations()).isEqualTo(Destinations.ANY);
  }

  @ParameterizedTest
  @CsvSource({
    "postbox.outbx.max-attempts, postbox.outbox.max-attempts",
    "postbox.outboxes, postbox.outbox",
    "postbox.OUTBOX.schema, postbox.outbox.schema",
    "postbx.outbox.schema, postbox.outbox.schema",
    "postbox.serivce, postbox.service",
  })
  void aMistypedBeginningIsRefusedWithTheRightOne(String wrong, String right) {
    assertThatThrownBy(() -> read(wrong, "1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(wrong + ": there is no such key (did you mean " + right + "?)");
    assertThat(read(wrong, "1", "postbox.unknown-keys", "report").unknownKeys()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"postbox.inbx.max-attempts", "postbox.console.role", "postbox.postgresql.host"})
  void keysOfOthersAreNoTypos(String key) {
    assertThat(read(key, "1").unknownKeys()).isEmpty();
  }

  @Test
  void aDestinationIsFoundInTheEnvironment() {
    Map<String, String> environment =
        Map.of(
            "POSTBOX_OUTBOX_DESTINATION_SHIPPING_JNDI_NAME", "jms/ship",
            "POSTBOX_OUTBOX_DESTINATION_A_B_JNDI_NAME", "jms/ab",
            "POSTBOX_OUTBOX_DESTINATION_BLANK_JNDI_NAME", " ");
    OutboxConfig config =
        OutboxConfigReader.read(
            environment.keySet(), key -> Optional.ofNullable(environment.get(key)), "shop");

    assertThat(config.destinations().jndiName("shipping")).isEqualTo("jms/ship");
    assertThat(config.destinations().jndiName("a.b")).isEqualTo("jms/ab");
    assertThat(config.destinations().jndiName("blank")).isEqualTo("jms/blank");
    assertThat(config.destinations().jndiName("billing")).isEqualTo("jms/billing");
  }

  @Test
  void anEnvironmentVariableThatTheServerListsWithDotsIsNoUnknownKey() {
    // Open Liberty lists an environment variable as it is, and with dots in lower case
    Map<String, String> environment =
        Map.of(
            "POSTBOX_OUTBOX_MAX_ATTEMPTS", "3",
            "POSTBOX_OUTBOX_DESTINATION_SHIPPING_JNDI_NAME", "jms/ship");
    OutboxConfig config = asLiberty(environment);

    assertThat(config.maxAttempts()).isEqualTo(3);
    assertThat(config.destinations().jndiName("shipping")).isEqualTo("jms/ship");
    assertThatThrownBy(() -> asLiberty(Map.of("POSTBOX_OUTBOX_MAX_ATEMPTS", "3")))
        .hasMessageContaining("postbox.outbox.max.atempts: there is no such key");
    assertThatThrownBy(() -> read("postbox.outbox.max.attempts", "3"))
        .as("dots for dashes, elsewhere")
        .hasMessageContaining("postbox.outbox.max.attempts: there is no such key");
  }

  private static OutboxConfig asLiberty(Map<String, String> environment) {
    Set<String> names = new HashSet<>(environment.keySet());
    environment.keySet().forEach(it -> names.add(it.toLowerCase(Locale.ROOT).replace('_', '.')));
    return OutboxConfigReader.read(
        names,
        key ->
            Optional.ofNullable(
                environment.getOrDefault(key, environment.get(Settings.environmentForm(key)))),
        "shop");
  }

  @Test
  void anExactDestinationCountsMoreThanItsEnvironmentForm() {
    OutboxConfig config =
        read(
            "postbox.outbox.destination.shipping.jndi-name", "jms/exact",
            "POSTBOX_OUTBOX_DESTINATION_SHIPPING_JNDI_NAME", "jms/ship");

    assertThat(config.destinations().jndiName("shipping")).isEqualTo("jms/exact");
    assertThat(config.destinations().jndiName("Shipping")).isEqualTo("jms/ship");
  }

  @Test
  void destinationsCanBeListed() {
    OutboxConfig config = read("postbox.outbox.destinations", " shipping, billing ,a.b,billing");

    assertThat(config.destinations().listed()).containsOnly("shipping", "billing", "a.b");
    assertThat(config.destinations().objection("shipping")).isEmpty();
    assertThat(config.destinations().objection("Shipping"))
        .contains(
            "'Shipping' is not one of postbox.outbox.destinations=a.b,billing,shipping (did you"
                + " mean 'shipping'?)");
    assertThat(config.destinations().objection("orders"))
        .contains("'orders' is not one of postbox.outbox.destinations=a.b,billing,shipping");
    assertThat(read().destinations().objection("orders")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,,b", ",a", "a\tb", "a,java:comp/b", "a,../b"})
  void aListOfDestinationsHasNamesOnly(String list) {
    refusesList(list);
  }

  @Test
  void aListOfDestinationsHasNoNameThatIsTooLong() {
    refusesList("a," + "d".repeat(101));
    assertThat(read("postbox.outbox.destinations", "d".repeat(100)).destinations().listed())
        .hasSize(1);
  }

  private static void refusesList(String list) {
    assertThatThrownBy(() -> read("postbox.outbox.destinations", list))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "expected names of destinations separated by commas; one has 1 to 100 characters");
  }

  @Test
  void aSettingForADestinationThatIsNotListedIsRefused() {
    assertThatThrownBy(
            () ->
                read(
                    "postbox.outbox.destinations", "shipping",
                    "postbox.outbox.destination.shiping.jndi-name", "jms/x"))
        .hasMessageContaining(
            "postbox.outbox.destination.shiping.jndi-name: 'shiping' is not one of"
                + " postbox.outbox.destinations=shipping (did you mean 'shipping'?)");
  }
}
