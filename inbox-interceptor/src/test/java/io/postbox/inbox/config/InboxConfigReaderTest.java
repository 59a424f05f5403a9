package io.postbox.inbox.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.check.Finding;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.Settings;
import io.postbox.inbox.check.ConsumerKeyRules;
import io.postbox.inbox.config.ConsumerConfig.Replies;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InboxConfigReaderTest {
  private static final VersionOrder FROM_ONE =
      new VersionOrder(OptionalLong.of(1), 1_000_000, 1L << 30, Duration.ofMinutes(10));

  @Test
  void withoutAnyKeyTheDefaultsHold() {
    InboxConfig config = read(Map.of());

    assertThat(config.service()).isEqualTo("shop-app");
    assertThat(config.dataSource()).isEqualTo("java:comp/DefaultDataSource");
    assertThat(config.tables().qualified("inbox_message")).isEqualTo("inbox_message");
    assertThat(config.createTables()).isFalse();
    assertThat(config.unknownKeys()).isEmpty();
  }

  @Test
  void everyKeyIsRead() {
    InboxConfig config =
        read(
            Map.of(
                "postbox.service", "shop",
                "postbox.inbox.data-source", "jdbc/shop",
                "postbox.inbox.schema", "box",
                "postbox.inbox.table-prefix", "pb_",
                "postbox.inbox.create-tables", "TRUE"));

    assertThat(config.service()).isEqualTo("shop");
    assertThat(config.dataSource()).isEqualTo("jdbc/shop");
    assertThat(config.tables().qualified("inbox_message")).isEqualTo("box.pb_inbox_message");
    assertThat(config.createTables()).isTrue();
  }

  @Test
  void wrongValuesAreRefusedAllAtOnceWithKeyValueAndBounds() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of(
                        "postbox.service",
                        "s".repeat(101),
                        "postbox.inbox.schema",
                        "a; DROP TABLE x",
                        "postbox.inbox.table-prefix",
                        "p".repeat(31),
                        "postbox.inbox.create-tables",
                        "yes")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(
            "The configuration of Postbox is wrong, so the application does not start: ")
        .hasMessageContaining("postbox.service=sss")
        .hasMessageContaining("expected a name of 1 to 100 characters")
        .hasMessageContaining(
            "postbox.inbox.schema=a; DROP TABLE x: expected a letter or _ followed by up to 29"
                + " letters, digits or _, or nothing")
        .hasMessageContaining("postbox.inbox.table-prefix=ppp")
        .hasMessageContaining("postbox.inbox.create-tables=yes: expected true or false")
        .hasMessageContaining("what MicroProfile Config reads on this server");
  }

  @Test
  void anUnknownKeyIsRefusedNamingTheNearestKnownOne() {
    assertThatThrownBy(() -> read(Map.of("postbox.inbox.datasource", "jdbc/shop")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "postbox.inbox.datasource: there is no such key (did you mean"
                + " postbox.inbox.data-source?)");
  }

  @Test
  void anUnknownKeyIsReportedWhereThatIsWanted() {
    InboxConfig config =
        read(Map.of("postbox.inbox.nonsense", "7d", "postbox.unknown-keys", "report"));

    assertThat(config.unknownKeys())
        .containsExactly("postbox.inbox.nonsense: there is no such key");
  }

  @Test
  void keysOfTheOutboxAreNotOurs() {
    assertThat(read(Map.of("postbox.outbox.nonsense", "1")).unknownKeys()).isEmpty();
  }

  @Test
  void aWrongWayToTreatUnknownKeysIsRefused() {
    assertThatThrownBy(() -> read(Map.of("postbox.unknown-keys", "ignore")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("postbox.unknown-keys=ignore: expected one of [refuse, report]");
  }

  @Test
  void aConsumerHasItsOwnSettingsAndOtherwiseThoseOfAll() {
    InboxConfig config =
        read(
            Map.of(
                "postbox.inbox.max-attempts", "3",
                "postbox.inbox.consumer.a.b.backoff.first", "10m",
                "postbox.inbox.reply-to", "queue:REPLIES, topic:a/b",
                "postbox.inbox.consumer.a.b.reply-to", "none",
                "postbox.inbox.consumer.a.b.reply-time-to-live", "5m",
                "postbox.inbox.consumer.shipping.order", "version",
                "postbox.inbox.consumer.shipping.max-attempts", "5"));

    Replies listed = new Replies(false, Set.of("queue:REPLIES", "topic:a/b"), Duration.ofDays(1));
    assertThat(config.of("shipping").replies()).isEqualTo(listed);
    assertThat(config.of("a.b").replies())
        .isEqualTo(new Replies(false, Set.of(), Duration.ofMinutes(5)));
    assertThat(read(Map.of()).of("any").replies())
        .isEqualTo(new Replies(true, Set.of(), Duration.ofDays(1)));

    assertThat(config.of("shipping").maxAttempts()).isEqualTo(5);
    assertThat(config.of("shipping").order()).contains(FROM_ONE);
    assertThat(config.of("a.b").maxAttempts()).isEqualTo(3);
    assertThat(config.of("a.b").backoff().max()).hasMinutes(10);
    assertThat(config.of("other").maxAttempts()).isEqualTo(3);
    assertThat(config.of("other").order()).isEmpty();
  }

  @Test
  void earlyVersionsWaitAsItIsSetAndOnlyWhereVersionsHaveAnOrder() {
    assertThat(
            read(Map.of(
                    "postbox.inbox.consumer.shipping.order", "version",
                    "postbox.inbox.consumer.shipping.early.limit", "7",
                    "postbox.inbox.consumer.shipping.early.bytes", "8",
                    "postbox.inbox.consumer.shipping.order.longest-gap", "1m"))
                .of("shipping")
                .order())
        .contains(new VersionOrder(OptionalLong.of(1), 7, 8, Duration.ofMinutes(1)));
    for (String key : List.of("early.limit", "early.bytes", "order.longest-gap")) {
      String value = Map.of("early.limit", "7", "early.bytes", "8").getOrDefault(key, "1m");
      assertThatThrownBy(() -> read(Map.of("postbox.inbox.consumer.shipping." + key, value)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(
              "postbox.inbox.consumer.shipping.%s=%s has no effect".formatted(key, value))
          .hasMessageContaining("set postbox.inbox.consumer.shipping.order=version too");
    }
    for (String gone : List.of("early", "order.max-waits")) {
      assertThatThrownBy(
              () ->
                  read(
                      Map.of(
                          "postbox.inbox.consumer.shipping.order",
                          "version",
                          "postbox.inbox.consumer.shipping." + gone,
                          "7")))
          .hasMessageContaining(
              "postbox.inbox.consumer.shipping.%s: there is no such key".formatted(gone));
    }
  }

  @Test
  void aWrongKeyOfAConsumerIsRefusedNamingTheRightOne() {
    assertThatThrownBy(() -> read(Map.of("postbox.inbox.consumer.shipping.max-atempts", "5")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("postbox.inbox.consumer.shipping.max-atempts: there is no such key")
        .hasMessageContaining("did you mean postbox.inbox.consumer.<name>.max-attempts?");
  }

  @Test
  void aConsumersKeyIsFoundAsAnEnvironmentVariable() {
    // listed as POSTBOX_INBOX_CONSUMER_SHIPPING_MAX_ATTEMPTS, and found by the key
    Map<String, String> found =
        Map.of(
            "postbox.inbox.consumer.shipping.max-attempts", "3",
            "postbox.inbox.consumer.shipping.order", "version");
    InboxConfig config =
        InboxConfigReader.read(
            Set.of("POSTBOX_INBOX_CONSUMER_SHIPPING_MAX_ATTEMPTS"),
            key -> Optional.ofNullable(found.get(key)),
            "shop",
            new DeployedConsumers(Set.of("shipping"), false));

    assertThat(config.of("shipping").maxAttempts()).isEqualTo(3);
    assertThat(config.of("shipping").order()).contains(FROM_ONE);
    assertThat(config.of("billing").maxAttempts()).isEqualTo(10);
  }

  @Test
  void anEnvironmentVariableThatTheServerListsWithDotsIsNoUnknownKey() {
    Map<String, String> environment =
        Map.of(
            "POSTBOX_INBOX_MAX_ATTEMPTS", "4",
            "POSTBOX_INBOX_CONSUMER_MY_ORDERS_MAX_ATTEMPTS", "3",
            "POSTBOX_INBOX_CONSUMER_MY_ORDERS_RETENTION", "2d");
    InboxConfig config = asLiberty(environment, "my-orders");

    assertThat(config.of("other").maxAttempts()).isEqualTo(4);
    assertThat(config.of("my-orders").maxAttempts()).isEqualTo(3);
    assertThat(config.of("my-orders").retention()).hasDays(2);
    assertThat(config.consumers()).containsOnlyKeys("my-orders");
  }

  @Test
  void anEnvironmentVariableThatMeansNothingIsRefused() {
    assertThatThrownBy(() -> asLiberty(Map.of("POSTBOX_INBOX_MAX_ATEMPTS", "4"), "orders"))
        .hasMessageContaining("postbox.inbox.max.atempts: there is no such key");
    assertThatThrownBy(
            () -> asLiberty(Map.of("POSTBOX_INBOX_CONSUMER_ODRERS_MAX_ATTEMPTS", "4"), "orders"))
        .hasMessageContaining("postbox.inbox.consumer.odrers.max.attempts: there is no such key");
    assertThatThrownBy(() -> read(Map.of("postbox.inbox.max.attempts", "4")))
        .as("dots for dashes, elsewhere")
        .hasMessageContaining("postbox.inbox.max.attempts: there is no such key");
  }

  /** Open Liberty lists an environment variable as it is, and with dots in lower case. */
  private static InboxConfig asLiberty(Map<String, String> environment, String consumer) {
    Set<String> names = new HashSet<>(environment.keySet());
    environment.keySet().forEach(it -> names.add(it.toLowerCase(Locale.ROOT).replace('_', '.')));
    return InboxConfigReader.read(
        names,
        key ->
            Optional.ofNullable(
                environment.getOrDefault(key, environment.get(Settings.environmentForm(key)))),
        "shop",
        new DeployedConsumers(Set.of(consumer), false));
  }

  @ParameterizedTest
  @CsvSource({"Shipping, shipping", "legder, ledger", "shiping, shipping", "ledgers, ledger"})
  void aKeyForAMistypedConsumerIsRefusedWithTheNearestName(String wrong, String right) {
    assertThatThrownBy(
            () ->
                read(
                    new DeployedConsumers(Set.of("shipping", "ledger"), false),
                    Map.of("postbox.inbox.consumer." + wrong + ".max-attempts", "5")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "postbox.inbox.consumer.%s.*: no @Inbox of this application has the name '%s' (did you mean postbox.inbox.consumer.%s.*?)"
                .formatted(wrong, wrong, right));
  }

  @Test
  void aKeyForAMistypedConsumerIsAFindingWhereUnknownKeysAreOnlyReported() {
    DeployedConsumers deployed = new DeployedConsumers(Set.of("shipping"), false);
    InboxConfig config =
        read(
            deployed,
            Map.of(
                "postbox.unknown-keys", "report",
                "postbox.inbox.consumer.Shipping.max-attempts", "5"));

    assertThat(ConsumerKeyRules.findings(config, deployed))
        .extracting(Finding::name, Finding::text)
        .containsExactly(
            tuple(
                "consumer-key",
                "postbox.inbox.consumer.Shipping.*: no @Inbox of this application has the name"
                    + " 'Shipping' (did you mean postbox.inbox.consumer.shipping.*?). The setting"
                    + " has no effect. Write the name as in the annotation; move settings for"
                    + " another application of this server to that application's"
                    + " <appProperties>."));
  }

  @Test
  void aKeyForAConsumerOfAnotherApplicationIsAFinding() {
    DeployedConsumers deployed = new DeployedConsumers(Set.of("shipping"), false);
    InboxConfig config =
        read(deployed, Map.of("postbox.inbox.consumer.invoices.max-attempts", "5"));

    assertThat(ConsumerKeyRules.findings(config, deployed)).hasSize(1);
    assertThat(ConsumerKeyRules.findings(read(deployed, Map.of()), deployed)).isEmpty();
  }

  @Test
  void whereMessagesAreGuardedInCodeOnlyANearMissIsAFinding() {
    DeployedConsumers deployed = new DeployedConsumers(Set.of("shipping"), true);
    InboxConfig config =
        read(
            deployed,
            Map.of(
                "postbox.inbox.consumer.invoices.max-attempts", "5",
                "postbox.inbox.consumer.shiping.max-attempts", "5"));

    assertThat(ConsumerKeyRules.findings(config, deployed)).hasSize(1);
    assertThat(config.of("invoices").maxAttempts()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "postbox.inbx.max-attempts, postbox.inbox.max-attempts",
    "postbox.Inbox.max-attempts, postbox.inbox.max-attempts",
    "postbox.inobx.consumer.a.order, postbox.inbox.consumer.a.order",
    "potsbox.inbox.max-attempts, postbox.inbox.max-attempts",
    "postbox.sevice, postbox.service",
    "postbox.unknown-key, postbox.unknown-keys",
  })
  void aMistypedBeginningIsRefusedWithTheRightOne(String wrong, String right) {
    assertThatThrownBy(() -> read(Map.of(wrong, "1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(wrong + ": there is no such key (did you mean " + right + "?)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postbox.outbox.max-attempts",
        "postbox.outbx.max-attempts", // the outbox says so
        "postbox.console.role",
        "postbox.data",
        "postbox.database",
        "postbox.index",
        "postbox.postgresql.host",
        "inbox.max-attempts",
        "POSTBOX_INBOX_MAX_ATTEMPTS"
      })
  void keysOfOthersAreNoTypos(String key) {
    assertThat(read(Map.of(key, "1")).unknownKeys()).isEmpty();
  }

  private static InboxConfig read(DeployedConsumers deployed, Map<String, String> values) {
    return InboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), "shop-app", deployed);
  }

  private static InboxConfig read(Map<String, String> values) {
    return InboxConfigReader.read(
        values.keySet(),
        key -> Optional.ofNullable(values.get(key)),
        "shop-app",
        TestConfig.ANYBODY);
  }
}
