package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  /** The pages write them, as PagesTest of browser-tests compares with the same table. */
  @Test
  void theNamesThatThePagesWriteAreRead() throws IOException {
    try (InputStream file = NamesTest.class.getResourceAsStream("/names-in-paths.json");
        JsonReader table = Json.createReader(file)) {
      for (JsonObject each : table.readArray().getValuesAs(JsonObject.class)) {
        assertThat(Names.decoded(each.getString("segment"))).isEqualTo(each.getString("name"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "orders~2F17~2f, orders/17/",
    "größe, größe",
    "a b;c, a b;c",
  })
  void aPartOfAPathMeansAName(String part, String name) {
    assertThat(Names.decoded(part)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"~", "a~2", "~2g", "~c3", "~ff", "~+1", "a~ b"})
  void aPartThatMeansNothingIsRefusedWithTheRule(String part) {
    assertThatThrownBy(() -> Names.decoded(part))
        .isInstanceOfSatisfying(
            Problem.class, refused -> assertThat(refused.wayOut()).contains("~2f for a slash"));
  }

  @Test
  void theNearestNameIsSaid() {
    Problem problem = Names.unknown("destination", "shiping", Set.of("shipping", "x"), "Look.");

    assertThat(problem.detail())
        .isEqualTo("There is no destination \"shiping\"; nothing was changed.");
    assertThat(problem.wayOut()).isEqualTo("Did you mean \"shipping\"? Look.");
    assertThat(Names.unknown("consumer", "y".repeat(5_000), Set.of("x"), "Look.").wayOut())
        .isEqualTo("Look.");
  }
}
