package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadersFuzzTest {
  private static final List<String> VALUES =
      List.of(
          "\"string:x\"",
          "\"integer:5\"",
          "\"boolean:yes\"",
          "\"byte:300\"",
          "\"float:1e40\"",
          "\"x\"",
          "5",
          "1e999999999",
          "9223372036854775808",
          "1.0",
          "null",
          "{}",
          "{\"a\":\"long:1\"}",
          "[1]",
          "true",
          "\"\\u0000\"",
          "");

  @FuzzTest
  void headersSurviveAndNothingElseIsReadAsSuch(byte[] input) {
    Draws draws = new Draws(input);
    Headers headers = headers(draws);
    String json = headers.toJson();
    assertThat(json.lines()).hasSize(1);
    assertThat(Headers.fromJson(json)).isEqualTo(headers);
    assertThat(List.copyOf(Headers.fromJson(json).properties().keySet()))
        .isEqualTo(List.copyOf(headers.properties().keySet()));

    aColumnOfSomebodyElsesIsRefusedOrMeansSomething(
        draws.flag() ? draws.changed(json) : anyJson(draws));
  }

  @Test
  void alsoTheSameHeadersEachTime() {
    Draws.check(4_000, this::headersSurviveAndNothingElseIsReadAsSuch);
  }

  @Test
  void endlessNestingIsRefused() {
    aColumnOfSomebodyElsesIsRefusedOrMeansSomething("{\"a\":".repeat(100_000));
    aColumnOfSomebodyElsesIsRefusedOrMeansSomething("[".repeat(100_000));
  }

  private static void aColumnOfSomebodyElsesIsRefusedOrMeansSomething(String column) {
    Headers read;
    try {
      read = Headers.fromJson(column);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageStartingWith("The headers column does not contain");
      return;
    }
    assertThat(read.properties().values()).allMatch(PropertyValue::isAllowed);
    assertThat(Headers.fromJson(read.toJson())).isEqualTo(read);
    read.properties()
        .forEach(
            (name, value) -> {
              if (value instanceof Boolean) {
                assertThat(column.toLowerCase(Locale.ROOT)).contains("boolean:" + value);
              }
            });
  }

  private static Headers headers(Draws draws) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (int i = draws.below(4); i > 0; i--) {
      properties.put(draws.text(5), draws.propertyValue());
    }
    return new Headers(
        draws.flag() ? draws.text(8) : null,
        draws.flag() ? draws.text(8) : null,
        draws.flag() ? draws.number() : null,
        draws.flag() ? draws.text(8) : null,
        properties);
  }

  private static String anyJson(Draws draws) {
    StringBuilder json = new StringBuilder("{");
    for (int i = draws.below(4); i > 0; i--) {
      String name =
          draws.oneOf("correlationId", "replyTo", "aggregateVersion", "traceState", "properties");
      String value = VALUES.get(draws.below(VALUES.size()));
      json.append(json.length() > 1 ? "," : "")
          .append("\"%s\":".formatted(name))
          .append(name.equals("properties") && draws.flag() ? "{\"p\":" + value + "}" : value);
    }
    return json.append(draws.oneOf("}", "}", "", "}}")).toString();
  }
}
