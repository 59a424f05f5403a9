package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Columns that the inbox may not have written. */
class JsonFuzzTest {
  private static final JsonProvider JSON = JsonProvider.provider();
  private static final String SAYS_WHERE_AND_NOT_WHAT = "not the inbox's JSON at character \\d+";

  @FuzzTest
  void theReaderReadsThatJsonAndRefusesTheRest(byte[] input) {
    Draws draws = new Draws(input);
    if (draws.flag()) {
      anObject(draws.flag() ? draws.changed(written(draws)) : anyJson(draws, 0));
    } else {
      aTypedValue(draws);
    }
  }

  @Test
  void alsoTheSameColumnsEachTime() {
    Draws.check(4_000, this::theReaderReadsThatJsonAndRefusesTheRest);
  }

  @Test
  void endlessNestingIsRefused() {
    anObject("{\"a\":".repeat(100_000));
  }

  private static void anObject(String json) {
    Map<String, @Nullable Object> read;
    try {
      read = Json.object(json);
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).matches(SAYS_WHERE_AND_NOT_WHAT);
      return;
    }
    try (var reader = JSON.createReader(new StringReader(json))) {
      assertThat(read).isEqualTo(plain(reader.readObject()));
    }
  }

  private static Map<String, @Nullable Object> plain(JsonObject object) {
    Map<String, @Nullable Object> plain = new LinkedHashMap<>();
    object.forEach((name, value) -> plain.put(name, plain(value)));
    return plain;
  }

  private static @Nullable Object plain(JsonValue value) {
    return switch (value.getValueType()) {
      case OBJECT -> plain(value.asJsonObject());
      case STRING -> ((JsonString) value).getString();
      case NULL -> null;
      default -> throw new AssertionError("a " + value.getValueType() + " was read");
    };
  }

  private static void aTypedValue(Draws draws) {
    String type =
        draws.oneOf(
            "string",
            "boolean",
            "byte",
            "short",
            "character",
            "integer",
            "long",
            "float",
            "double",
            "bytes",
            "object",
            "");
    String value =
        draws.changed(
            draws.oneOf(
                "true",
                String.valueOf(draws.number()),
                String.valueOf(draws.fraction()),
                Base64.getEncoder().encodeToString(draws.octets(6)),
                draws.text(3)));
    String written = draws.oneOf(type + ":" + value, type + ":" + value, type + value);
    Object read;
    try {
      read = Json.valueOf(written);
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage())
          .isIn("a value without its type", "a value that is not of its type");
      return;
    }
    assertThat(means(read, written.substring(written.indexOf(':') + 1)))
        .as("%s read as %s", written, read)
        .isTrue();
    String retry = Json.typed(Collections.singletonList(read));
    assertThat(Json.valueOf(Json.array(retry).get(0))).isEqualTo(read);
  }

  private static boolean means(@Nullable Object read, String value) {
    if (read instanceof Double || read instanceof Float) {
      return isThatFraction((Number) read, value.trim());
    }
    if (read instanceof Number number) {
      return new BigInteger(value).equals(BigInteger.valueOf(number.longValue()));
    }
    if (read instanceof byte[] bytes) {
      String encoded = Base64.getEncoder().withoutPadding().encodeToString(bytes);
      String digits = value.replace("=", ""); // the last of which may have bits to spare
      return encoded.length() == digits.length()
          && encoded.regionMatches(0, digits, 0, Math.max(0, digits.length() - 1));
    }
    return String.valueOf(read).equals(value);
  }

  /** Of what Java itself writes; it takes some other forms too, which do no harm. */
  private static boolean isThatFraction(Number read, String value) {
    if (!value.matches("-?\\d+(\\.\\d+)?(E-?\\d{1,9})?")) { // BigDecimal takes no longer exponent
      return !value.matches("\\w*[a-wyzA-Z]\\w*") || value.matches("NaN|Infinity|.*[xfFdDeE].*");
    }
    BigDecimal number = new BigDecimal(value);
    return read instanceof Float
        ? read.equals(number.signum() == 0 ? Float.valueOf(value) : (Float) number.floatValue())
        : read.equals(number.signum() == 0 ? Double.valueOf(value) : (Double) number.doubleValue());
  }

  private static String written(Draws draws) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = draws.below(4); i > 0; i--) {
      values.put(draws.text(4), draws.bodyValue());
    }
    String typed = Json.typed(values);
    return draws.flag() ? typed : "{\"headers\":{},\"properties\":" + typed + "}";
  }

  /** Any JSON, and nearly JSON. */
  private static String anyJson(Draws draws, int depth) {
    if (depth == 4) {
      return "{}";
    }
    StringBuilder json = new StringBuilder("{");
    for (int i = draws.below(3); i > 0; i--) {
      json.append(json.length() > 1 ? "," : "")
          .append(draws.oneOf("\"\"", "\"a\"", "\"\\u0041\"", "\"" + draws.text(4) + "\""))
          .append(draws.oneOf(":", ":", ":", " : "))
          .append(
              switch (draws.below(4)) {
                case 0 -> draws.oneOf("null", "true", "1", "[]", "nul", "");
                case 1 -> anyJson(draws, depth + 1);
                case 2 ->
                    draws.oneOf(
                        "\"\\n\"",
                        "\"\\q\"",
                        "\"\\/\"",
                        "\"\\u-041\"",
                        "\"\\u+0a1\"",
                        "\"\\u00zz\"",
                        "\"\\u00AB\"");
                default -> "\"" + draws.text(4) + "\"";
              });
    }
    return json.append("}").append(draws.oneOf("", "", "", " ", "x")).toString();
  }
}
