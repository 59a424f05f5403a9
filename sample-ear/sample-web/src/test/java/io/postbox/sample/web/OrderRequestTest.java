package io.postbox.sample.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrderRequestTest {
  @Test
  void anOrderIsRead() {
    assertThat(parse("{\"sku\":\"BOOK-1\",\"quantity\":2}"))
        .isEqualTo(new OrderRequest("BOOK-1", 2));
  }

  @Test
  void aByteOrderMarkIsSkipped() {
    assertThat(parse("\uFEFF{\"sku\":\"BOOK-1\",\"quantity\":2}"))
        .isEqualTo(new OrderRequest("BOOK-1", 2));
  }

  @Test
  void otherFieldsAreIgnored() {
    assertThat(parse(" {\"note\":[{}],\"quantity\":1000,\"sku\":\"a.b_c\"}\n"))
        .isEqualTo(new OrderRequest("a.b_c", 1000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "1001",
        "1.5",
        "1e999999999",
        "99999999999999999999",
        "\"2\"",
        "null",
        "true",
        "[]",
        "{}"
      })
  void aWrongQuantityIsNamed(String quantity) {
    assertRefused("{\"sku\":\"BOOK-1\",\"quantity\":" + quantity + "}", "quantity");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"",
        "\" \"",
        "\"-A\"",
        "\"A B\"",
        "\"A\\n\"",
        "\"\\u0000\"",
        "\"<b>\"",
        "\"12345678901234567890123456789012345678901\"",
        "7",
        "null"
      })
  void aWrongSkuIsNamed(String sku) {
    assertRefused("{\"sku\":" + sku + ",\"quantity\":1}", "sku");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{\"quantity\":1} | sku", "{\"sku\":\"A\"} | quantity", "{} | sku"})
  void aMissingFieldIsNamed(String body, String field) {
    assertRefused(body, field);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "[]",
        "null",
        "5",
        "{",
        "{\"sku\":\"A\"",
        "{\"sku\":\"A\",\"quantity\":1}{}",
        "{\"sku\":\"A\",\"quantity\":1} x"
      })
  void aBodyThatIsNoObjectIsRefusedAsAWhole(String body) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOfSatisfying(
            BadInputException.class, refused -> assertThat(refused.error().field()).isNull())
        .hasMessageContaining("{\"sku\":\"BOOK-1\",\"quantity\":2}");
  }

  /** Parsers fail on these in ways of their own, which were answered as errors of the server. */
  @ParameterizedTest
  @CsvSource({"[, ]", "'{\"a\":', }"})
  void deepNestingIsRefused(String opening, String closing) {
    for (int depth : new int[] {20, 21, 50, 500, 650}) {
      String nested = opening.repeat(depth) + "1" + closing.repeat(depth);
      String order = "{\"sku\":\"A\",\"quantity\":1,\"x\":" + nested + "}";
      String unfinished = "{\"x\":" + opening.repeat(depth);

      assertThatThrownBy(() -> parse(order))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("more than 20 deep");
      assertThatThrownBy(() -> parse(unfinished)).isInstanceOf(BadInputException.class);
    }
    assertThatThrownBy(() -> parse("{\"x\":" + "[".repeat(2_000)))
        .isInstanceOf(BadInputException.class);
    String order = "{\"sku\":\"A\",\"quantity\":1,\"x\":%s1%s}";
    assertThat(parse(order.formatted(opening.repeat(19), closing.repeat(19))))
        .isEqualTo(new OrderRequest("A", 1));
  }

  @Test
  void aBodyThatIsTooLongIsRefused() {
    String body = "{\"sku\":\"A\",\"quantity\":1,\"x\":\"" + "x".repeat(5_000) + "\"}";

    assertThatThrownBy(() -> parse(body)).hasMessageContaining("more than 4096 bytes");
  }

  @Test
  void aLongValueIsShortenedInTheError() {
    String body = "{\"sku\":\"" + "x".repeat(1_000) + "\",\"quantity\":1}";

    assertThatThrownBy(() -> parse(body))
        .isInstanceOfSatisfying(
            BadInputException.class,
            refused -> assertThat(refused.error().value()).hasSize(61).endsWith("x…"));
  }

  private static void assertRefused(String body, String field) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOfSatisfying(
            BadInputException.class,
            refused -> assertThat(refused.error().field()).isEqualTo(field))
        .hasMessageStartingWith(field + " must be ");
  }

  private static OrderRequest parse(String body) {
    return OrderRequest.parse(body.getBytes(StandardCharsets.UTF_8));
  }
}
