package io.postbox.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StorableTest {
  /** One character for people, two for Java. */
  private static final String CLEF = "\uD834\uDD1E";

  private static final String HALF = "\uD834";

  @Test
  void aNameHasNoControlCharactersAndNoHalves() {
    assertThat(Storable.is("Müller " + CLEF)).isTrue();
    assertThat(Storable.is("a\nb")).isFalse();
    assertThat(Storable.is("a" + HALF)).isFalse();
    assertThat(Storable.is("a\0b")).isFalse();
  }

  @Test
  void aTextMayHaveLines() {
    assertThat(Storable.isText("a\r\n\tb " + CLEF)).isTrue();
    assertThat(Storable.isText("a\0")).isFalse();
    assertThat(Storable.isText("\0")).isFalse();
    assertThat(Storable.isText(HALF)).isFalse();
  }

  @Test
  void aLineIsOneLineThatFits() {
    assertThat(Storable.line("a\r\nb", 3)).isEqualTo("a b");
    assertThat(Storable.line("abcd", 4)).isEqualTo("abcd");
    assertThat(Storable.line("abcde", 4)).isEqualTo("abcd");
  }

  /** Trojan source: text that is shown in another order than it has. */
  @Test
  void charactersThatAreNotSeenAreShown() {
    assertThat(Storable.printable("a\u202Eb\u2066c\u2069d\u200Fe\u061Cf\u200Bg"))
        .isEqualTo("a\\u202Eb\\u2066c\\u2069d\\u200Fe\\u061Cf\\u200Bg");
    assertThat(Storable.printable(Character.toString(0xE0041))).isEqualTo("\\uE0041");
  }

  @Test
  void theCutDoesNotHalveACharacter() {
    assertThat(Storable.line("abc" + CLEF + "d", 4)).isEqualTo("abc");
    assertThat(Storable.line("abc" + CLEF + "d", 5)).isEqualTo("abc" + CLEF);
  }

  @Test
  void halfACharacterIsReplaced() {
    assertThat(Storable.line("a" + HALF + "b", 9)).isEqualTo("a\uFFFDb");
  }

  @Test
  void textThatFitsStaysAsItIs() {
    assertThat(Storable.cut("", 3)).isEmpty();
    assertThat(Storable.cut("abc", 3)).isEqualTo("abc");
  }

  @Test
  void aCutTextEndsWithAWholeCharacter() {
    assertThat(Storable.cut("abcd", 3)).isEqualTo("abc");
    assertThat(Storable.cut("ab\uD83D\uDE00", 3)).isEqualTo("ab");
    assertThat(Storable.cut("a\uD83D\uDE00b", 3)).isEqualTo("a\uD83D\uDE00");
  }

  @Test
  void halfACharacterIsNotKeptByTheCut() {
    assertThat(Storable.cut("a\uD83Db", 3)).isEqualTo("a\uFFFDb");
    assertThat(Storable.cut("a\uDE00", 3)).isEqualTo("a\uFFFD");
    assertThat(Storable.cut("\uD83D\uD83D\uDE00", 2)).isEqualTo("\uFFFD");
  }
}
