package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.Tenth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {

  private static void assertSurvives(Headers headers) {
    assertThat(Headers.fromJson(headers.toJson())).isEqualTo(headers);
  }

  @Test
  void noHeadersAreAnEmptyObject() {
    assertThat(Headers.NONE.toJson()).isEqualTo("{}");
    assertSurvives(Headers.NONE);
  }

  @Test
  void everyPartSurvives() {
    assertSurvives(new Headers("correlation", null, null, null, Map.of()));
    assertSurvives(new Headers(null, "replies", null, null, Map.of()));
    assertSurvives(new Headers(null, null, 7L, null, Map.of()));
    assertSurvives(new Headers(null, null, null, "a=1,b=2", Map.of()));
    assertSurvives(new Headers("c", "r", Long.MIN_VALUE, null, Map.of("p", "v")));
    assertSurvives(new Headers("c", "r", Long.MAX_VALUE, null, Map.of("p", "v")));
  }

  @Test
  void aPropertyKeepsItsType() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("string", "5");
    properties.put("empty", "");
    properties.put("colon", "int:5");
    properties.put("yes", true);
    properties.put("no", false);
    properties.put("byte", Byte.MIN_VALUE);
    properties.put("short", Short.MAX_VALUE);
    properties.put("integer", Integer.MIN_VALUE);
    properties.put("long", Long.MAX_VALUE);
    properties.put("float", 0.1f);
    properties.put("smallest", Float.MIN_VALUE);
    properties.put("double", 0.1d);
    properties.put("largest", Double.MAX_VALUE);
    properties.put("nan", Double.NaN);
    properties.put("infinite", Float.NEGATIVE_INFINITY);
    properties.put("minusZero", -0.0d);

    Map<String, Object> read =
        Headers.fromJson(new Headers(null, null, null, null, properties).toJson()).properties();

    assertThat(read).isEqualTo(properties);
    assertThat(List.copyOf(read.keySet())).isEqualTo(List.copyOf(properties.keySet()));
  }

  @Test
  void oddCharactersSurvive() {
    for (String odd :
        List.of("\"", "\\", "\0", "\n\r\t", "\u0085\u2028", "é", "😀", "</script>", "'", "{}")) {
      assertSurvives(new Headers(odd, odd, null, null, Map.of("p", odd)));
    }
  }

  @Test
  void anyTextSurvives() {
    long seed = Tenth.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      int[] codePoints =
          random
              .ints(random.nextInt(40), 0, Character.MAX_CODE_POINT + 1)
              .filter(it -> it < Character.MIN_SURROGATE || it > Character.MAX_SURROGATE)
              .toArray();
      String text = new String(codePoints, 0, codePoints.length);
      Headers headers = new Headers(text, text, random.nextLong(), null, Map.of("p", text));
      assertThat(Headers.fromJson(headers.toJson())).as("seed %s", seed).isEqualTo(headers);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "plain",
        "{\"properties\":5}",
        "{\"properties\":{\"p\":5}}",
        "{\"properties\":{\"p\":\"5\"}}",
        "{\"properties\":{\"p\":\"integer:x\"}}",
        "{\"properties\":{\"p\":\"decimal:5\"}}",
        "{\"aggregateVersion\":\"7\"}",
        "{\"aggregateVersion\":1.5}",
      })
  void jsonOfSomebodyElseIsRefused(String json) {
    assertThatThrownBy(() -> Headers.fromJson(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The headers column does not contain the outbox's JSON: ");
  }
}
