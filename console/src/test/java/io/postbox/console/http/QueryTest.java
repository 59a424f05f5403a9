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

  @Test
  void anUnknownFilterIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> of("{\"destinaton\":\"a\"}", "destination", "event"))
        .isInstanceOfSatisfying(
            ProblemException.class,
            refused -> {
              assertThat(refused.problem().status()).isEqualTo(400);
              assertThat(refused.problem().detail()).contains("\"destinaton\"");
              assertThat(refused.problem().wayOut()).isEqualTo("Use: destination, event.");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\\u0000", "a\\u0000"})
  void anEmptyOrUnstorableValueIsRefused(String value) {
    assertThatThrownBy(() -> of("{\"event\":\"" + value + "\"}", "event"))
        .isInstanceOf(ProblemException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "-1", "1.5", "ten", "999999"})
  void aPageHasBounds(String size) {
    assertThatThrownBy(() -> of("{\"size\":\"" + size + "\"}", Query.paged()).size())
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void aPageHasFiftyItemsUnlessAsked() {
    assertThat(of("{}", Query.paged()).size()).isEqualTo(50);
    assertThat(of("{\"size\":\"100\"}", Query.paged()).size()).isEqualTo(100);
  }

  @Test
  void aCursorLeadsToItsPlaceInItsOwnList() {
    String cursor = Query.cursor("letters", 42);

    assertThat(of("{\"after\":\"" + cursor + "\"}", Query.paged()).afterNumber("letters"))
        .isEqualTo(42);
    assertThatThrownBy(() -> of("{\"after\":\"" + cursor + "\"}", Query.paged()).after("parked"))
        .isInstanceOf(ProblemException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"42", "!!!", "bGV0dGVyczotMQ", "bGV0dGVyczo5OTk5OTk5OTk5OTk5OTk5OTk5"})
  void aForgedCursorIsRefused(String cursor) {
    assertThatThrownBy(
            () -> of("{\"after\":\"" + cursor + "\"}", Query.paged()).afterNumber("letters"))
        .isInstanceOf(ProblemException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2026-13-01T00:00:00Z", "2026-11-23"})
  void aTimeIsUtc(String time) {
    assertThatThrownBy(() -> of("{\"from\":\"" + time + "\"}", "from").time("from"))
        .isInstanceOf(ProblemException.class);
  }

  @Test
  void oneOfTwoThatBelongTogetherIsRefused() {
    assertThatThrownBy(() -> of("{\"type\":\"a\"}", "type", "id").pair("type", "id"))
        .isInstanceOf(ProblemException.class);
    assertThat(of("{\"type\":\"a\",\"id\":\"b\"}", "type", "id").pair("type", "id"))
        .hasValueSatisfying(pair -> assertThat(pair).containsExactly("a", "b"));
  }
}
