package io.postbox.console.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.StoredPayload;
import io.postbox.console.http.Problem;
import jakarta.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PayloadViewTest {
  private static final String TEXT = "{\"card\":\"4111-1111\",\"who\":\"Ada \uD83D\uDE00\"}";

  private static JsonObject part(PayloadView view, StoredPayload payload) {
    return view.part(payload).build();
  }

  private static StoredPayload text(String text) {
    return new StoredPayload(
        "TEXT",
        Optional.of(text),
        Optional.empty(),
        Optional.empty(),
        "{\"tenant\":\"acme\",\"headers\":{\"n\":5}}");
  }

  private static StoredPayload bytes(byte[] bytes) {
    return new StoredPayload("BYTES", Optional.empty(), Optional.of(bytes), Optional.empty(), "{}");
  }

  @Test
  void aMaskedTextKeepsItsForm() {
    JsonObject masked = part(PayloadView.MASKED, text(TEXT));

    assertThat(masked.getString("text")).isEqualTo("{\"xxxx\":\"0000-0000\",\"xxx\":\"xxx x\"}");
    assertThat(masked.getJsonObject("properties"))
        .hasToString("{\"tenant\":\"xxxx\",\"headers\":{\"n\":\"0\"}}");
    assertThat(masked.getInt("bytes")).isEqualTo(TEXT.length() + 2);
  }

  @Test
  void maskedOctetsAreASizeAlone() {
    assertThat(part(PayloadView.MASKED, bytes(new byte[] {1, 2, 3})).toString())
        .contains("\"bytes\":3")
        .doesNotContain("text");
  }

  @Test
  void theHeadIsTheBeginningAlone() {
    assertThat(part(PayloadView.HEAD, text("a".repeat(255) + "\uD83D\uDE00")).getString("text"))
        .isEqualTo("a".repeat(255));
    assertThat(part(PayloadView.HEAD, bytes(new byte[1_000])).getString("text")).hasSize(512);
  }

  @Test
  void anotherViewIsRefused() {
    assertThat(PayloadView.of("full")).isEqualTo(PayloadView.FULL);
    assertThatThrownBy(() -> PayloadView.of("all")).isInstanceOf(Problem.class);
    assertThatThrownBy(() -> PayloadView.of("FULL")).isInstanceOf(Problem.class);
  }
}
