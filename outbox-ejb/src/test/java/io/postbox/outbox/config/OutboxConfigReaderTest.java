package io.postbox.outbox.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.Confidentiality;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.config.Settings;
import io.postbox.common.config.TableNames;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.config.OutboxConfig.RelayMode;
import io.postbox.outbox.config.OutboxConfig.Retention;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutboxConfigReaderTest {
  private static OutboxConfig read(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return OutboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), "shop");
  }

  private static void assertWrong(String key, String value, String expected) {
    assertThatThrownBy(() -> read("postbox.outbox." + key, value))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "The configuration of Postbox is wrong, so the application does not start:"
                + " postbox.outbox.%s=%s: expected %s. Change it in what MicroProfile"
                    .formatted(key, value.strip(), expected)
                + " Config reads on this server or in META-INF/microprofile-config.properties.");
  }

  @Test
  void nothingNeedsToBeSet() {
    assertThat(read())
        .isEqualTo(
            new OutboxConfig(
                "shop",
                "java:comp/DefaultDataSource",
                new TableNames("", ""),
                false,
                "java:comp/DefaultJMSConnectionFactory",
                16,
                1 << 20,
                10,
                new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                OnDeadLetter.HOLD,
                AfterSending.DELETE,
                Delivery.LOCAL,
                DuplicateDetection.NONE,
                new Retention(Duration.ofDays(7), ArchivePartitions.NONE),
                new Backlog(
                    1_000_000, 100_000_000, Duration.ofMinutes(15), Duration.ofDays(36_500)),
                new RelayConfig(
                    RelayMode.POLLING, "postbox_outbox", true, 4, 1_000, Duration.ofSeconds(30)),
                Destinations.ANY,
                Map.of(),
                Confidentiality.DEFAULT,
                MetricsSystem.AUTO,
                List.of()));
  }

  @Test
  void everythingCanBeSet() {
    OutboxConfig config =
        read(
            "postbox.service", "orders",
            "postbox.unknown-keys", "refuse",
            "postbox.metrics", "micrometer",
            "postbox.outbox.data-source", "jdbc/shop",
            "postbox.outbox.schema", "shop",
            "postbox.outbox.table-prefix", "pb_",
            "postbox.outbox.create-tables", "true",
            "postbox.outbox.connection-factory", "jms/cf",
            "postbox.outbox.partitions", "4",
            "postbox.outbox.max-payload", "1000",
            "postbox.outbox.max-attempts", "3",
            "postbox.outbox.backoff.first", "100ms",
            "postbox.outbox.backoff.max", "1h",
            "postbox.outbox.on-dead-letter", "continue",
            "postbox.outbox.after-sending", "archive",
            "postbox.outbox.delivery", "xa",
            "postbox.outbox.duplicate-detection", "artemis",
            "postbox.outbox.retention", "30d",
            "postbox.outbox.archive-partitions", "monthly",
            "postbox.outbox.backlog.warn-count", "10",
            "postbox.outbox.backlog.max-count", "20",
            "postbox.outbox.backlog.warn-age", "1m",
            "postbox.outbox.backlog.max-age", "1h",
            "postbox.outbox.relay.mode", "polling",
            "postbox.outbox.relay.slot", "shop_slot",
            "postbox.outbox.relay.enabled", "FALSE",
            "postbox.outbox.relay.workers", "8",
            "postbox.outbox.relay.batch-size", "50",
            "postbox.outbox.relay.send-timeout", "PT10S",
            "postbox.outbox.destinations", "shipping,a.b",
            "postbox.outbox.destination.shipping.jndi-name", "jms/queue/ship",
            "postbox.outbox.destination.a.b.jndi-name", "jms/ab");

    assertThat(config)
        .isEqualTo(
            new OutboxConfig(
                "orders",
                "jdbc/shop",
                new TableNames("shop", "pb_"),
                true,
                "jms/cf",
                4,
                1000,
                3,
                new Backoff(Duration.ofMillis(100), Duration.ofHours(1)),
                OnDeadLetter.CONTINUE,
                AfterSending.ARCHIVE,
                Delivery.XA,
                DuplicateDetection.ARTEMIS,
                new Retention(Duration.ofDays(30), ArchivePartitions.MONTHLY),
                new Backlog(10, 20, Duration.ofMinutes(1), Duration.ofHours(1)),
                new RelayConfig(
                    RelayMode.POLLING, "shop_slot", false, 8, 50, Duration.ofSeconds(10)),
                new Destinations(
                    Set.of("shipping", "a.b"),
                    Map.of("shipping", "jms/queue/ship", "a.b", "jms/ab"),
                    Map.of()),
                Map.of(),
                Confidentiality.DEFAULT,
                MetricsSystem.MICROMETER,
                List.of()));
    assertThat(config.destinations().jndiName("shipping")).isEqualTo("jms/queue/ship");
    assertThat(config.destinations().jndiName("invoices")).isEqualTo("jms/invoices");
    assertThat(config.tables().qualified("outbox_message")).isEqualTo("shop.pb_outbox_message");
  }

  @ParameterizedTest
  @CsvSource({
    "partitions, 1, 1024",
    "max-payload, 1, 104857600",
    "max-attempts, 1, 1000000",
    "backlog.warn-count, 1, 2147483647",
    "relay.workers, 1, 64",
    "relay.batch-size, 1, 10000",
  })
  void wholeNumbersHaveBounds(String key, int least, int most) {
    read("postbox.outbox." + key, " " + least + " ");
    read("postbox.outbox." + key, "" + most);
    String expected = "a whole number from " + least + " to " + most;
    assertWrong(key, "" + (least - 1), expected);
    assertWrong(key, "" + (most + 1L), expected);
    assertWrong(key, "many", expected);
    assertWrong(key, "1.5", expected);
    assertWrong(key, "99999999999999999999", expected);
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "30s, 30000",
    "5m, 300000",
    "12h, 43200000",
    "1d, 86400000",
    "30 s, 30000",
    "PT30S, 30000",
    "PT0.25S, 250",
    "pt5m, 300000",
    "P1D, 86400000"
  })
  void durationsHaveManyForms(String text, long millis) {
    OutboxConfig config =
        read("postbox.outbox.backoff.first", "1ms", "postbox.outbox.backoff.max", text);
    assertThat(config.backoff().max()).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"30", "s", "-30s", "1.5s", "30S", "30 seconds", "PT", "soon", "999999999999999d"})
  void malformedDurationsAreRefused(String text) {
    assertWrong("backoff.first", text, aDuration("1ms", "1d"));
  }

  @Test
  void durationsHaveBounds() {
    assertThat(read("postbox.outbox.backoff.first", "1ms").backoff().first())
        .isEqualTo(Duration.ofMillis(1));
    read("postbox.outbox.backoff.first", "1d", "postbox.outbox.backoff.max", "1d");
    assertWrong("backoff.first", "0ms", aDuration("1ms", "1d"));
    assertWrong("backoff.first", "PT-1S", aDuration("1ms", "1d"));
    assertWrong("backoff.first", "25h", aDuration("1ms", "1d"));
    assertWrong("backoff.max", "500ms", aDuration("1s", "1d"));
    assertWrong("relay.send-timeout", "99ms", aDuration("100ms", "10m"));
    assertWrong("relay.send-timeout", "601s", aDuration("100ms", "10m"));
  }

  private static String aDuration(String least, String most) {
    return "a duration from %s to %s, written like 500ms, 30s, 5m, 12h, 7d or PT30S"
        .formatted(least, most);
  }

  @Test
  void aLongFirstWaitIsNotCutByTheDefaultOfTheLongest() {
    Backoff backoff = read("postbox.outbox.backoff.first", "10m").backoff();
    assertThat(backoff.ceiling(1)).isEqualTo(Duration.ofMinutes(10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a-b", "a.b", "1a", "\"a\"", "a;drop", "ä"})
  void identifiersArePlain(String text) {
    String expected = "a letter or _ followed by up to 29 letters, digits or _, or nothing";
    assertWrong("schema", text, expected);
    assertWrong("table-prefix", text, expected);
    assertWrong("table-prefix", "x".repeat(31), expected);
    assertThat(read("postbox.outbox.schema", "x".repeat(30)).tables().schema()).hasSize(30);
  }

  @Test
  void anEmptyIdentifierIsNone() {
    assertThat(read("postbox.outbox.schema", " ", "postbox.outbox.table-prefix", "").tables())
        .isEqualTo(new TableNames("", ""));
  }

  @Test
  void aFlagIsTrueOrFalse() {
    assertWrong("create-tables", "yes", "true or false");
    assertWrong("relay.enabled", "1", "true or false");
    assertWrong("relay.enabled", "", "true or false");
  }

  @Test
  void aChoiceNamesWhatThereIs() {
    assertWrong("on-dead-letter", "stop", "one of [hold, continue]");
    assertThatThrownBy(() -> read("postbox.encryption", "maybe"))
        .hasMessageContaining("postbox.encryption=maybe: expected one of [optional, required]");
    assertThatThrownBy(() -> read("postbox.outbox.error-detail", "all"))
        .hasMessageContaining("error-detail=all: expected one of [class, message]");
    assertThatThrownBy(() -> read("postbox.encyption", "required"))
        .hasMessageContaining("did you mean postbox.encryption?");
    assertThatThrownBy(() -> read("postbox.unknown-keys", "ignore"))
        .hasMessageContaining("postbox.unknown-keys=ignore: expected one of [refuse, report]");
  }

  @Test
  void noNodeRelaysWhereAConnectorDoes() {
    RelayConfig polling = read().relay();
    RelayConfig here = read("postbox.outbox.relay.enabled", "false").relay();
    RelayConfig cdc =
        read("postbox.outbox.relay.mode", "CDC", "postbox.outbox.relay.enabled", "true").relay();

    assertThat(List.of(polling.isCdc(), here.isCdc(), cdc.isCdc()))
        .containsExactly(false, false, true);
    assertThat(List.of(polling.runsHere(), here.runsHere(), cdc.runsHere()))
        .containsExactly(true, false, false);
    assertWrong("relay.mode", "debezium", "one of [polling, cdc]");
  }

  @ParameterizedTest
  @CsvSource({
    "postbox.outbox.delivery, xa",
    "postbox.outbox.after-sending, keep",
    "postbox.outbox.after-sending, archive",
    "postbox.outbox.duplicate-detection, artemis",
    "postbox.encryption, required",
  })
  void relayOnlySettingsContradictAConnector(String key, String value) {
    read(key, value);
    assertThatThrownBy(() -> read("postbox.outbox.relay.mode", "cdc", key, value))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "%s=%s contradicts postbox.outbox.relay.mode=cdc, in which ".formatted(key, value))
        .hasMessageContaining(": leave one of them out");
  }

  @Test
  void settingsWithoutEffectBesideAConnectorAreAccepted() {
    OutboxConfig config =
        read(
            "postbox.outbox.relay.mode", "cdc",
            "postbox.outbox.delivery", "local",
            "postbox.outbox.after-sending", "delete",
            "postbox.outbox.on-dead-letter", "continue",
            "postbox.outbox.max-attempts", "3",
            "postbox.outbox.relay.workers", "8");

    assertThat(config.relay().isCdc()).isTrue();
    assertThat(config.maxAttempts()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Postbox", "a-b", "a b", "a.b", "ä"})
  void aReplicationSlotHasANameOfPostgresql(String name) {
    String expected = "1 to 63 lower-case letters, digits or _";
    assertWrong("relay.slot", name, expected);
    assertWrong("relay.slot", "x".repeat(64), expected);
    assertThat(read("postbox.outbox.relay.slot", "x".repeat(63)).relay().slot()).hasSize(63);
  }

  @Test
  void theServiceHasANameThatFitsItsColumn() {
    assertThat(read("postbox.service", "x".repeat(100)).service()).hasSize(100);
    assertThatThrownBy(() -> read("postbox.service", "x".repeat(101)))
        .hasMessageContaining(": expected a name of 1 to 100 characters");
    assertThatThrownBy(() -> read("postbox.service", "  "))
        .hasMessageContaining("postbox.service=: expected a name of 1 to 100 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"data-source", "connection-factory"})
  void aBlankNameIsNoName(String key) {
    assertWrong(key, "  ", "some text");
  }

  @Test
  void aBlankDestinationIsNoDestination() {
    assertThatThrownBy(() -> read("postbox.outbox.destination.shipping.jndi-name", " "))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("postbox.outbox.destination.shipping.jndi-name");
  }

  @Test
  void aDestinationMayHaveAPolicyOfItsOwn() {
    OutboxConfig config =
        read(
            "postbox.outbox.max-attempts", "7",
            "postbox.outbox.backoff.first", "2s",
            "postbox.outbox.destination.shipping.max-attempts", "3",
            "postbox.outbox.destination.shipping.on-dead-letter", "continue",
            "postbox.outbox.destination.a.b.backoff.first", "10m");
    Backoff ofAll = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));

    assertThat(config.recovery("shipping"))
        .isEqualTo(new Recovery(3, ofAll, OnDeadLetter.CONTINUE));
    assertThat(config.recovery("a.b"))
        .isEqualTo(
            new Recovery(
                7, new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(10)), OnDeadLetter.HOLD));
    assertThat(config.recovery("other")).isEqualTo(new Recovery(7, ofAll, OnDeadLetter.HOLD));
  }

  @Test
  void aDestinationsPolicyHasBoundsAndAKnownName() {
    assertWrong("destination.d.max-attempts", "0", "a whole number from 1 to 1000000");
    assertWrong("destination.d.on-dead-letter", "stop", "one of [hold, continue]");
    assertThatThrownBy(
            () ->
                read(
                    "postbox.outbox.destinations", "shipping",
                    "postbox.outbox.destination.shiping.max-attempts", "3"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "postbox.outbox.destination.shiping: 'shiping' is not one of postbox.outbox.destinations=shipping (did you mean 'shipping'?)");
  }

  @Test
  void environmentVariablesSetThePolicyOfAListedDestination() {
    Map<String, String> values =
        Map.of(
            "postbox.outbox.destinations",
            "my-orders",
            "POSTBOX_OUTBOX_DESTINATION_MY_ORDERS_MAX_ATTEMPTS",
            "4");
    OutboxConfig config =
        OutboxConfigReader.read(
            values.keySet(),
            key ->
                Optional.ofNullable(values.get(key))
                    .or(() -> Optional.ofNullable(values.get(Settings.environmentForm(key)))),
            "shop");

    assertThat(config.recovery("my-orders").maxAttempts()).isEqualTo(4);
    assertThat(config.recovery("other").maxAttempts()).isEqualTo(10);
  }

  @Test
  void allThatIsWrongIsInOneMessage() {
    assertThatThrownBy(
            () ->
                read(
                    "postbox.service", "",
                    "postbox.outbox.partitions", "0",
                    "postbox.outbox.relay.workers", "x",
                    "postbox.outbox.schema", "a b",
                    "postbox.outbox.nonsense", "1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "postbox.service=: expected",
            "postbox.outbox.partitions=0: expected",
            "postbox.outbox.relay.workers=x: expected",
            "postbox.outbox.schema=a b: expected",
            "postbox.outbox.nonsense: there is no such key");
  }
}
