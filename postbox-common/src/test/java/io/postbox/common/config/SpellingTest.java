package io.postbox.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

  @ParameterizedTest
  @CsvSource({
    "shipping, shipping, 0",
    "'', abc, 3",
    "abc, '', 3",
    "shiping, shipping, 1",
    "shippping, shipping, 1",
    "shopping, shipping, 1",
    "shpiping, shipping, 1", // two neighbours have changed places
    "hsipping, shipping, 1",
    "shippign, shipping, 1",
    "hsippign, shipping, 2",
    "ledger, legder, 1",
    "abc, xyz, 3",
    "ab, ba, 1",
    "abcd, badc, 2",
    "a, b, 1",
    "kitten, sitting, 3",
    "ca, abc, 3",
  })
  void slipsAreCounted(String one, String other, int slips) {
    assertThat(Spelling.distance(one, other)).isEqualTo(slips);
    assertThat(Spelling.distance(other, one)).isEqualTo(slips);
  }

  @ParameterizedTest
  @CsvSource({
    "SHIPPING, shipping, true",
    "shiping, shipping, true",
    "shipign, shipping, true", // two in a long name
    "shpgn, shipping, false",
    "mail, mall, true", // one in a short one
    "mial, mall, false",
    "on, no, true",
    "ab, yz, false",
    "abcde, abxye, false",
    "abcdef, abxyef, true",
  })
  void aNearMissHasFewSlipsForItsLength(String written, String name, boolean isNear) {
    assertThat(Spelling.isNear(written, name)).isEqualTo(isNear);
  }

  @Test
  void theNearestOfThoseThatAreNearIsMeant() {
    List<String> known = List.of("billing", "shopping", "shipping");

    assertThat(Spelling.nearest("shiping", known)).contains("shipping");
    assertThat(Spelling.nearest("shoping", known)).contains("shopping");
    assertThat(Spelling.nearest("shupping", known)).as("the first by name").contains("shipping");
    assertThat(Spelling.nearest("orders", known)).isEmpty();
  }
}
