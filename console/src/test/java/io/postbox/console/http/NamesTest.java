package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  @ParameterizedTest
  @CsvSource({
    "shipping, shipping",
    "eu.orders-2_b, eu.orders-2_b",
    "eu~2forders, eu/orders",
    "orders~2f2026~2F17~23a, orders/2026/17#a",
    "back~5cslash, back\\slash",
    "~2e., ..",
    "~7e2f, ~2f",
    "100~25, 100%",
    "gr~c3~b6~c3~9fe-~e6~b3~a8~e6~96~87, größe-注文",
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
            ProblemException.class,
            refused -> assertThat(refused.problem().wayOut()).contains("~2f for a slash"));
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
