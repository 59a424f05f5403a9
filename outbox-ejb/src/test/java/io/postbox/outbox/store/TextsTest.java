package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextsTest {
  @Test
  void whatFitsStaysAsItIs() {
    assertThat(Texts.cut("", 3)).isEmpty();
    assertThat(Texts.cut("abc", 3)).isEqualTo("abc");
  }

  @Test
  void whatIsTooLongEndsWithAWholeCharacter() {
    assertThat(Texts.cut("abcd", 3)).isEqualTo("abc");
    assertThat(Texts.cut("ab\uD83D\uDE00", 3)).isEqualTo("ab");
    assertThat(Texts.cut("a\uD83D\uDE00b", 3)).isEqualTo("a\uD83D\uDE00");
  }

  @Test
  void halfACharacterIsNotKept() {
    assertThat(Texts.cut("a\uD83Db", 3)).isEqualTo("a\uFFFDb");
    assertThat(Texts.cut("a\uDE00", 3)).isEqualTo("a\uFFFD");
    assertThat(Texts.cut("\uD83D\uD83D\uDE00", 2)).isEqualTo("\uFFFD");
  }
}
