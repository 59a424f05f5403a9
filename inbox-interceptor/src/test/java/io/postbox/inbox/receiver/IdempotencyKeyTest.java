package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Others have stored these keys: they must never change. The values were computed elsewhere. */
class IdempotencyKeyTest {

  @Test
  void theyAreWhatTheyHaveAlwaysBeen() {
    assertThat(
            OutsideEffects.key(
                "shop", "shipping", "018f6f3a-0000-7000-8000-000000000001", "charge"))
        .isEqualTo("d8f563aa-19c3-8f0c-9aee-cc1faa505c01");
    assertThat(
            OutsideEffects.key(
                "shop", "shipping", "Bestellung Nr. 7 \u2013 \u00fc", "mail \ud83d\udcec"))
        .isEqualTo("862f939c-37c2-8354-b0de-b6355381dc75");
    assertThat(OutsideEffects.key("a", "b", "c", "d"))
        .isEqualTo("94bf9e75-8f44-82d0-93d9-d2b26e9e0f55");
  }

  @Test
  void theyAreUuidsOfVersion8() {
    for (int i = 0; i < 100; i++) {
      UUID key = UUID.fromString(OutsideEffects.key("shop", "shipping", "id-" + i, "charge"));
      assertThat(key.version()).isEqualTo(8);
      assertThat(key.variant()).isEqualTo(2);
    }
  }

  @Test
  void anyOtherPartAndAnyOtherBorderBetweenThemMakesAnotherKey() {
    Set<String> keys = new TreeSet<>();
    keys.add(OutsideEffects.key("ab", "cd", "ef", "gh"));
    keys.add(OutsideEffects.key("abc", "d", "ef", "gh"));
    keys.add(OutsideEffects.key("ab", "c", "def", "gh"));
    keys.add(OutsideEffects.key("ab", "cd", "e", "fgh"));
    keys.add(OutsideEffects.key("AB", "cd", "ef", "gh"));
    assertThat(keys).hasSize(5);
  }
}
