package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
  private static Query of(String json, String... known) {
    return Query.of(Fields.parse(json.getBytes(StandardCharsets.UTF_8)), known);
  }

  private static Listing page(String list, String json) {
    return new Listing(list, of(json, "size", "after", "format"));
  }

  @Test
  void anUnknownFilterIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> of("{\"destinaton\":\"a\"}", "destination", "event"))
        .isInstanceOfSatisfying(
            Problem.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(400);
              assertThat(refused.detail()).contains("\"destinaton\"");
              assertThat(refused.wayOut()).isEqualTo("Use: destination, event.");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\\u0000", "a\\u0000"})
  void anEmptyOrUnstorableValueIsRefused(String value) {
    assertThatThrownBy(() -> of("{\"event\":\"" + value + "\"}", "event"))
        .isInstanceOf(Problem.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "-1", "1.5", "ten", "999999"})
  void aPageHasBounds(String size) {
    assertThatThrownBy(() -> page("letters", "{\"size\":\"" + size + "\"}").size())
        .isInstanceOf(Problem.class);
  }

  @Test
  void aPageHasFiftyItemsUnlessAsked() {
    assertThat(page("letters", "{}").size()).isEqualTo(50);
    assertThat(page("letters", "{\"size\":\"100\"}").size()).isEqualTo(100);
  }

  @Test
  void aCursorLeadsToItsPlaceInItsOwnList() {
    String cursor = page("letters", "{}").cursor(42);

    assertThat(page("letters", "{\"after\":\"" + cursor + "\"}").afterNumber()).isEqualTo(42);
    assertThatThrownBy(() -> page("parked", "{\"after\":\"" + cursor + "\"}").after())
        .isInstanceOf(Problem.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"42", "!!!", "bGV0dGVyczotMQ", "bGV0dGVyczo5OTk5OTk5OTk5OTk5OTk5OTk5"})
  void aForgedCursorIsRefused(String cursor) {
    assertThatThrownBy(() -> page("letters", "{\"after\":\"" + cursor + "\"}").afterNumber())
        .isInstanceOf(Problem.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2026-13-01T00:00:00Z", "2026-11-23"})
  void aTimeIsUtc(String time) {
    assertThatThrownBy(() -> of("{\"from\":\"" + time + "\"}", "from").time("from"))
        .isInstanceOf(Problem.class);
  }

  @Test
  void oneOfTwoThatBelongTogetherIsRefused() {
    assertThatThrownBy(() -> of("{\"type\":\"a\"}", "type", "id").pair("type", "id"))
        .isInstanceOf(Problem.class);
    assertThat(of("{\"type\":\"a\",\"id\":\"b\"}", "type", "id").pair("type", "id"))
        .hasValueSatisfying(pair -> assertThat(pair).containsExactly("a", "b"));
  }
}
