package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
  private static Fields of(String json) {
    return Fields.parse(json.getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(ThrowingCallable call, String slug) {
    assertThatThrownBy(call)
        .asInstanceOf(type(Problem.class))
        .extracting(it -> it.slug())
        .isEqualTo(slug);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "1",
        "\"a\"",
        "{",
        "{\"a\":}",
        "{} {}",
        "{\"a\":1,\"a\":2}",
        "\u0000",
        "{\"a\":nul}"
      })
  void jsonThatIsNoObjectIsRefused(String json) {
    refused(() -> of(json), "not-json");
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    refused(() -> Fields.parse(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}), "not-json");
  }

  @Test
  void aByteOrderMarkIsSkipped() {
    assertThat(of("\uFEFF{\"reason\":\"x\"}").reason()).isEqualTo("x");
  }

  @Test
  void deepNestingIsRefused() {
    refused(() -> of("{\"a\":" + "[".repeat(20_000)), "not-json");
  }

  @Test
  void bracketsWithinTextsAreText() {
    String text = "}]\\\"" + "{".repeat(50);
    assertThat(of("{\"reason\":\"" + text + "\"}\n ").reason()).hasSize(53);
  }

  @Test
  void nothingIsAnObjectWithoutFields() {
    assertThat(Fields.parse(new byte[0]).names()).isEmpty();
  }

  @Test
  void secondsAreReadToTheMillisecondAndWithinTheirBounds() {
    Duration least = Duration.ofMillis(1);
    Duration most = Duration.ofDays(1);
    assertThat(of("{}").seconds("wait", least, most)).isEmpty();
    assertThat(of("{\"wait\":0.0019}").seconds("wait", least, most)).contains(least);
    assertThat(of("{\"wait\":86400}").seconds("wait", least, most)).contains(most);
    for (String wrong : List.of("0", "0.0009", "86400.001", "-1", "1e300", "\"1\"", "true")) {
      refused(() -> of("{\"wait\":" + wrong + "}").seconds("wait", least, most), "invalid");
    }
  }

  @Test
  void anUnknownFieldIsRefusedAndShownAsText() {
    refused(() -> of("{\"reson\":\"x\"}").only("reason"), "invalid");
    assertThatThrownBy(() -> of("{\"<b>\\n\":1}").only("reason"))
        .hasMessage("There is no field \"<b> \" here; nothing was changed.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"reason\":null}", "{\"reason\":\"  \"}", "{\"reason\":1}"})
  void aReasonIsNeeded(String json) {
    refused(() -> of(json).reason(), "invalid");
  }

  @Test
  void aReasonHasAThousandCharactersAtMost() {
    assertThat(of("{\"reason\":\" " + "x".repeat(998) + " \"}").reason()).hasSize(998);
    refused(() -> of("{\"reason\":\"" + "x".repeat(1_001) + "\"}").reason(), "invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "1.5", "\"7\"", "true", "99999999999999999999", "1e400"})
  void aNumberOutOfItsBoundsIsRefused(String number) {
    refused(() -> of("{\"first\":" + number + "}").whole("first", 1, 100), "invalid");
  }

  @Test
  void aNumberWithinItsBoundsIsRead() {
    assertThat(of("{\"first\":100}").whole("first", 1, 100)).contains(100);
    assertThat(of("{}").whole("first", 1, 100)).isEmpty();
  }
}
