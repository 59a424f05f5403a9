package io.postbox.inbox.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.TableNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of values. */
class InboxConfigBoundsTest {
  private static InboxConfig read(String... keysAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put("postbox.inbox." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return InboxConfigReader.read(
        values.keySet(), key -> Optional.ofNullable(values.get(key)), "shop", TestConfig.ANYBODY);
  }

  private static void assertWrong(String key, String value, String expected) {
    assertThatThrownBy(() -> read(key, value))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "The configuration of Postbox is wrong, so the application does not start:"
                + " postbox.inbox.%s=%s: expected %s. Change it in what MicroProfile"
                    .formatted(key, value.strip(), expected)
                + " Config reads on this server or in META-INF/microprofile-config.properties.");
  }

  private static String aDuration(String least, String most) {
    return "a duration from %s to %s, written like 500ms, 30s, 5m, 12h, 7d or PT30S"
        .formatted(least, most);
  }

  @ParameterizedTest
  @CsvSource({
    "max-attempts, 1, 1000000",
    "consumer.shipping.max-attempts, 1, 1000000",
    "max-crashes, 1, 1000000",
    "consumer.shipping.max-crashes, 1, 1000000",
    "max-transient-failures, 1, 1000000",
    "consumer.shipping.max-transient-failures, 1, 1000000",
    "max-body, 1, 2147483647",
    "consumer.shipping.max-body, 1, 2147483647",
    "quota.messages, 1, 2147483647",
    "quota.aggregates, 1, 2147483647",
    "consumer.shipping.quota.aggregates, 1, 2147483647",
    "consumer.shipping.quota.messages, 1, 2147483647",
  })
  void wholeNumbersHaveBounds(String key, int least, int most) {
    read(key, " " + least + " ");
    read(key, "" + most);
    assertBounded(key, least, most, "a whole number from " + least + " to " + most);
  }

  @Test
  void theFirstVersionIsAWholeNumberOrAny() {
    String key = "consumer.shipping.order.first-version";
    read(key, " 0 ");
    read(key, "2147483647");
    read(key, "any");
    read(key, "ANY");
    assertBounded(key, 0, Integer.MAX_VALUE, "a whole number from 0 to 2147483647, or any");
  }

  private static void assertBounded(String key, int least, int most, String expected) {
    assertWrong(key, "" + (least - 1), expected);
    assertWrong(key, "" + (most + 1L), expected);
    assertWrong(key, "many", expected);
  }

  @ParameterizedTest
  @CsvSource({
    "outage-wait, 0ms, 5m, 301s, 0s, 5m",
    "stop-grace, 0ms, 5m, 301s, 0s, 5m",
    "backoff.first, 1ms, 24h, 25h, 1ms, 1d",
    "backoff.max, 1s, 24h, 25h, 1s, 1d",
    "retention, 1s, 36500d, 36501d, 1s, 36500d",
    "reply-time-to-live, 0s, 36500d, 36501d, 0s, 36500d",
    "consumer.shipping.backoff.first, 1ms, 24h, 25h, 1ms, 1d",
    "consumer.shipping.backoff.max, 1s, 24h, 25h, 1s, 1d",
    "consumer.shipping.retention, 1s, 36500d, 36501d, 1s, 36500d",
  })
  void durationsHaveBounds(
      String key, String least, String most, String tooLong, String from, String to) {
    read(key, least);
    read(key, most);
    assertWrong(key, tooLong, aDuration(from, to));
    assertWrong(key, "PT-1S", aDuration(from, to));
  }

  @Test
  void bytesMayBeMany() {
    read("quota.bytes", "1125899906842624");
    assertWrong("quota.bytes", "1125899906842625", "a whole number from 1 to 1125899906842624");
    assertWrong("quota.when-full", "drop", "one of [pause, metadata]");
  }

  @Test
  void aLongFirstWaitIsNotCutByTheDefaultOfTheLongest() {
    assertThat(read("backoff.first", "10m").others().backoff())
        .isEqualTo(new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(10)));
    assertThat(read("backoff.first", "10s").others().backoff())
        .isEqualTo(new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(5)));
    assertWrong("backoff.max", "999ms", aDuration("1s", "1d"));
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "30s, 30000",
    "30 s, 30000",
    "5m, 300000",
    "12h, 43200000",
    "1d, 86400000",
    "PT30S, 30000",
  })
  void durationsHaveManyForms(String text, long millis) {
    assertThat(read("backoff.first", text).others().backoff().first())
        .isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "s", "1.5s", "30S", "soon", "999999999999999d"})
  void malformedDurationsAreRefused(String text) {
    assertWrong("stop-grace", text, aDuration("0s", "5m"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a-b", "1a", "a;drop", "ä"})
  void identifiersArePlain(String text) {
    String expected = "a letter or _ followed by up to 29 letters, digits or _, or nothing";
    assertWrong("schema", text, expected);
    assertWrong("table-prefix", text, expected);
    assertWrong("table-prefix", "x".repeat(31), expected);
    assertThat(read("schema", "x".repeat(30)).tables().schema()).hasSize(30);
  }

  @Test
  void anEmptyIdentifierIsNone() {
    assertThat(read("schema", " ", "table-prefix", " ").tables()).isEqualTo(new TableNames("", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data-source",
        "connection-factory",
        "consumer.shipping.connection-factory",
        "consumer.shipping.retry-destination",
        "dead-queue",
        "consumer.shipping.dead-queue"
      })
  void aBlankNameIsNoName(String key) {
    assertWrong(key, "  ", "some text");
  }

  @Test
  void aChoiceNamesWhatThereIs() {
    assertWrong("on-mismatch", "ignore", "one of [quarantine, reject]");
    assertWrong("table-partitioning", "monthly", "one of [none, daily]");
    assertWrong("consumer.shipping.order", "time", "one of [none, version]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"REPLIES", "none, temporary", "queue:", "any", "temporary;queue:A", ","})
  void destinationsOfAnswersAreGivenByName(String value) {
    assertWrong(
        "consumer.shipping.reply-to",
        value,
        "none, or a list of temporary, queue:NAME and topic:NAME separated by commas");
  }

  @Test
  void aFlagIsTrueOrFalse() {
    assertWrong("create-tables", "1", "true or false");
    assertThat(read("create-tables", "False").createTables()).isFalse();
  }
}
